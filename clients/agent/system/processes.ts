import { execFile } from 'node:child_process'
import { readdir, readFile } from 'node:fs/promises'
import { promisify } from 'node:util'
import { sleep } from '../wait.ts'
import { parseStat } from './identity.ts'

/**
 * Finds all processes that a job has started and that still run: its process groups, processes that inherited its mark in their
 * environment (also a child that created its own session), and the children of all of these.
 */
export interface ProcessSet {
  /** `<jobId>.<attempt>`, the value of SIGNALBOX_JOB. */
  mark: string
  /** Process groups that were created for the job and have not been observed empty. */
  groups: ReadonlySet<number>
}

export const markVariable = 'SIGNALBOX_JOB'

interface Seen {
  pid: number
  parent: number
  group: number
  marked: boolean
}

/** Zombies do not count. They do nothing, and their parent may never reap them. */
async function findProcesses(set: ProcessSet): Promise<{ pid: number; group: number }[]> {
  const seen = process.platform === 'linux' ? await seeByProc(set.mark) : await seeByPs(set.mark)
  const ours = new Map<number, Seen>()
  for (const one of seen) if (one.marked || set.groups.has(one.group)) ours.set(one.pid, one)
  for (let found = true; found; ) {
    found = false
    for (const one of seen) {
      if (ours.has(one.pid) || !ours.has(one.parent)) continue
      ours.set(one.pid, one)
      found = true
    }
  }
  ours.delete(process.pid)
  return [...ours.values()]
}

async function seeByProc(mark: string): Promise<Seen[]> {
  const entry = `${markVariable}=${mark}\0`
  const seen: Seen[] = []
  for (const name of await readdir('/proc')) {
    if (!/^\d+$/.test(name)) continue
    // A process that ends during the read, or that belongs to another user, does not belong to the job.
    const stat = parseStat(await readFile(`/proc/${name}/stat`, 'utf8').catch(() => ''))
    if (!stat || stat.state === 'Z' || stat.state === 'X') continue
    const environment = await readFile(`/proc/${name}/environ`, 'latin1').catch(() => '')
    const marked = environment.startsWith(entry) || environment.includes(`\0${entry}`)
    seen.push({ pid: Number(name), parent: stat.parent, group: stat.group, marked })
  }
  return seen
}

async function seeByPs(mark: string): Promise<Seen[]> {
  const withEnvironment = process.platform === 'darwin' ? '-axEww' : 'axeww'
  const columns = 'pid=,ppid=,pgid=,state=,command='
  const { stdout } = await promisify(execFile)('ps', [withEnvironment, '-o', columns], { maxBuffer: 64 * 1024 * 1024 })
  const entry = ` ${markVariable}=${mark}`
  return stdout.split('\n').flatMap((line) => {
    const match = /^\s*(\d+)\s+(\d+)\s+(\d+)\s+(\S+)\s(.*)$/.exec(line)
    if (!match || match[4]?.startsWith('Z')) return []
    const marked = `${match[5]} `.includes(`${entry} `)
    return [{ pid: Number(match[1]), parent: Number(match[2]), group: Number(match[3]), marked }]
  })
}

/**
 * Sends SIGTERM to all of them and kills the rest when `graceUntil()` has passed (milliseconds of `performance.now()`; it is called
 * repeatedly, so the time may be brought forward). Resolves with the number of processes that could not be killed within two more
 * seconds: 0, unless the system has a problem.
 */
export async function endProcesses(set: ProcessSet, graceUntil: () => number): Promise<number> {
  let left = await findProcesses(set)
  if (left.length === 0) return 0
  if (performance.now() < graceUntil()) {
    signalAll(left, set, 'SIGTERM')
    // A stopped process handles a signal only after it continues.
    signalAll(left, set, 'SIGCONT')
  }
  while (left.length > 0 && performance.now() < graceUntil()) {
    await sleep(40)
    left = await findProcesses(set)
  }
  const giveUpAt = performance.now() + 2_000
  while (left.length > 0) {
    signalAll(left, set, 'SIGKILL')
    await sleep(20)
    left = await findProcesses(set)
    if (performance.now() > giveUpAt) break
  }
  return left.length
}

/** Stops all of them until `continueProcesses`. Processes that are started meanwhile are stopped too. */
export async function stopProcesses(set: ProcessSet): Promise<void> {
  const stopped = new Set<number>()
  for (;;) {
    const found = (await findProcesses(set)).filter(({ pid }) => !stopped.has(pid))
    if (found.length === 0) return
    signalAll(found, set, 'SIGSTOP')
    for (const { pid } of found) stopped.add(pid)
  }
}

export async function continueProcesses(set: ProcessSet): Promise<void> {
  signalAll(await findProcesses(set), set, 'SIGCONT')
}

function signalAll(found: { pid: number; group: number }[], set: ProcessSet, signal: NodeJS.Signals): void {
  // By group first: this also reaches processes that were forked between the read and the signal.
  const groups = new Set(found.map((one) => one.group).filter((group) => set.groups.has(group)))
  for (const group of groups) send(-group, signal)
  for (const { pid, group } of found) if (!groups.has(group)) send(pid, signal)
}

function send(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal)
  } catch {
    // It has ended meanwhile.
  }
}

/** Signals one process. Returns false if it has ended. */
export function signalProcess(pid: number, signal: NodeJS.Signals): boolean {
  try {
    return process.kill(pid, signal)
  } catch {
    return false
  }
}
