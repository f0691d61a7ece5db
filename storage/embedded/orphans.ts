import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { StartError } from '../database/startError.ts'

/** How long to wait after each signal to an orphan, in milliseconds. Its shutdown writes dirty pages, which takes time. */
const patience = { fast: 30_000, immediate: 10_000, kill: 5_000 }

/**
 * Ends every PostgreSQL process that still works in `folder` after its parent process died. Only the holder of the folder's lock
 * may call it, since every such process is then an orphan. Throws `StartError` if a process cannot be ended.
 */
export async function endOrphans(folder: string, log: (line: string) => void): Promise<void> {
  if (processesIn(folder).length === 0) return
  const postmaster = postmasterOf(folder)
  const steps = [
    { signal: 'SIGINT', wait: patience.fast },
    { signal: 'SIGQUIT', wait: patience.immediate },
    { signal: 'SIGKILL', wait: patience.kill },
  ] as const
  for (const { signal, wait } of steps) {
    const found = processesIn(folder)
    const led = postmaster !== undefined && found.includes(postmaster)
    log(`ending PostgreSQL left by an earlier process (${signal} to ${led ? postmaster : found.join(', ')})`)
    // Children without a postmaster get no order to shut down, so each is signaled.
    if (led) end(postmaster, signal)
    else for (const pid of found) end(pid, signal === 'SIGINT' ? 'SIGQUIT' : signal)
    for (const until = Date.now() + wait; Date.now() < until; await sleep(20)) {
      if (processesIn(folder).length === 0) return
    }
  }
  const [pid] = processesIn(folder)
  if (pid === undefined) return
  throw new StartError(`PostgreSQL process ${pid} still uses ${folder} and could not be ended: end it and start again.`)
}

/** The process that PostgreSQL's own lock file names. It may have ended long ago, and its process ID may belong to another process. */
function postmasterOf(folder: string): number | undefined {
  try {
    const pid = Number.parseInt(readFileSync(join(folder, 'postmaster.pid'), 'utf8'), 10)
    return pid > 0 ? pid : undefined
  } catch {
    return undefined
  }
}

/**
 * Every PostgreSQL process works in its data folder, so device and inode of its working folder identify the database. That stays
 * correct if a process ID was assigned again, or if a data folder was moved.
 */
function processesIn(folder: string): number[] {
  if (process.platform !== 'linux') return byCommandLine(folder)
  const wanted = statSync(folder, { throwIfNoEntry: false })
  if (wanted === undefined) return []
  return readdirSync('/proc')
    .map(Number)
    .filter((pid) => {
      if (!(pid > 0) || pid === process.pid) return false
      try {
        const { dev, ino } = statSync(`/proc/${pid}/cwd`)
        if (dev !== wanted.dev || ino !== wanted.ino) return false
        return readFileSync(`/proc/${pid}/comm`, 'utf8').trim() === 'postgres' && !isZombie(pid)
      } catch {
        return false
      }
    })
}

function isZombie(pid: number): boolean {
  return / Z /.test(readFileSync(`/proc/${pid}/stat`, 'utf8').replace(/^.*\)/, ''))
}

/** Without /proc: only the postmaster, identified by its command line. */
function byCommandLine(folder: string): number[] {
  const pid = postmasterOf(folder)
  if (pid === undefined) return []
  try {
    const command = execFileSync('ps', ['-o', 'command=', '-p', String(pid)], { encoding: 'utf8' })
    return command.includes('postgres') && command.includes(folder) ? [pid] : []
  } catch {
    return []
  }
}

function end(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
  }
}
