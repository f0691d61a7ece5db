import assert from 'node:assert/strict'
import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestContext } from 'node:test'
import { fileURLToPath } from 'node:url'
import { endProcesses } from '../../../../clients/agent/system/processes.ts'
import { ControlPlane } from './controlPlane.ts'
import type { FakeJob } from './fakeJob.ts'

const entry = fileURLToPath(new URL('../../../../clients/agent/main.ts', import.meta.url))
export const token = 'enroll_test0000000000000000'

/** A machine of its own for one test: folders, a repository, a control plane, and agents that are started on it. */
export interface AgentHost {
  plane: ControlPlane
  /** The agent's root, with `repo` in it. */
  root: string
  repo: string
  state: string
  /** Added to the environment of the agents that are started from now on. */
  env: Record<string, string>
  /** Starts the agent with its usual arguments and these; the first time it enrolls. */
  start(...args: string[]): AgentProcess
  /** Starts the agent with these arguments only. */
  program(...args: string[]): AgentProcess
  /** Starts it and waits until it is connected. */
  connect(...args: string[]): Promise<AgentProcess>
  /** Offers commands in the repository, by name. */
  run(steps: Record<string, string>, more?: Record<string, unknown>): FakeJob
}

export interface AgentProcess {
  pid: number
  exited: Promise<number | null>
  kill(signal: NodeJS.Signals): Promise<number | null>
  child: ChildProcess
  stdout(): string
  stderr(): string
}

export async function openAgentHost(t: TestContext): Promise<AgentHost> {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'signalbox-agent-')))
  const root = join(folder, 'code')
  const state = join(folder, 'state')
  const repo = makeRepository(join(root, 'repo'))
  const plane = await ControlPlane.start()
  const agents: AgentProcess[] = []
  const env: Record<string, string> = {}
  t.after(async () => {
    for (const agent of agents) await agent.kill('SIGKILL')
    await endLeftJobs(join(state, 'jobs'))
    await plane.close()
    rmSync(folder, { recursive: true, force: true })
  })
  const program = (...args: string[]) => {
    const agent = startProgram([entry, ...args], env)
    agents.push(agent)
    return agent
  }
  const start = (...args: string[]) =>
    program('--server', plane.url, '--token', token, '--state', state, '--root', root, ...args)
  return {
    plane,
    root,
    repo,
    state,
    env,
    start,
    program,
    connect: async (...args) => {
      const before = plane.epoch
      const agent = start(...args)
      await until(
        () => plane.connected && plane.epoch > before,
        'the agent connects',
        () => agent.stderr() + agent.stdout(),
      )
      return agent
    },
    run: (steps, more = {}) =>
      plane.offer('COMMANDS', {
        worktreePath: repo,
        steps: Object.entries(steps).map(([name, command]) => ({ name, command })),
        timeoutSeconds: 60,
        ...more,
      }),
  }
}

export function startProgram(
  args: string[],
  env: Record<string, string> = {},
  program = process.execPath,
): AgentProcess {
  const child = spawn(program, ['--no-warnings', ...args], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, ...env },
  })
  let stdout = ''
  let stderr = ''
  child.stdout.on('data', (data) => (stdout += data))
  child.stderr.on('data', (data) => (stderr += data))
  const exited = new Promise<number | null>((resolve) => child.once('exit', (code) => resolve(code)))
  return {
    child,
    pid: child.pid ?? -1,
    exited,
    kill: (signal) => {
      child.kill(signal)
      return exited
    },
    stdout: () => stdout,
    stderr: () => stderr,
  }
}

/** A repository with one commit on `main`. */
export function makeRepository(path: string): string {
  mkdirSync(path, { recursive: true })
  gitIn(path, 'init', '--quiet', '--initial-branch=main')
  writeFileSync(join(path, 'README.md'), '# A test\n')
  gitIn(path, 'add', '.')
  gitIn(path, 'commit', '--quiet', '-m', 'first')
  return path
}

export function gitIn(path: string, ...args: string[]): string {
  const who = ['-c', 'user.name=Test', '-c', 'user.email=test@example.org', '-c', 'commit.gpgsign=false']
  return execFileSync('git', [...who, ...args], { cwd: path, encoding: 'utf8' }).trim()
}

/** Waits until `holds`, looking every 10 ms. Fails after `ms` with `what` and the result of `more`. */
export async function until(
  holds: () => unknown,
  what: string,
  more: () => string = () => '',
  ms = 60_000,
): Promise<void> {
  const giveUpAt = Date.now() + ms
  while (!holds()) {
    if (Date.now() > giveUpAt) assert.fail(`Waited ${ms} ms for: ${what}\n${more()}`)
    await pause(10)
  }
}

export function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms))
}

/** Waits for the job's result and checks what holds for every job: each chunk once, the right count and hash. */
export async function completion(job: FakeJob, more?: () => string) {
  await until(() => job.completion, `the result of ${job.id}`, more)
  const result = job.completion
  assert(result)
  assert.equal(result.logChunks, job.chunks.length, 'the number of chunks')
  assert.equal(result.logSha256, job.sha256, 'the hash of the log')
  return result
}

/** Whether the process is there and no zombie. */
export function isRunning(pid: number): boolean {
  try {
    return !/\) [ZX] /.test(readFileSync(`/proc/${pid}/stat`, 'utf8'))
  } catch {
    return false
  }
}

async function endLeftJobs(jobsFolder: string): Promise<void> {
  const marks = existsSync(jobsFolder) ? readdirSync(jobsFolder) : []
  for (const mark of marks) {
    try {
      process.kill(JSON.parse(readFileSync(join(jobsFolder, mark, 'started.json'), 'utf8')).pid, 'SIGKILL')
    } catch {
      // Not started, or over.
    }
    await endProcesses({ mark, groups: new Set() }, () => 0)
  }
}
