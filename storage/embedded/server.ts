import { type ChildProcess, spawn } from 'node:child_process'
import { type Launcher, launch } from './launcher.ts'
import { tail } from './tail.ts'

/** The time limit of each way of stopping, in milliseconds. A fast shutdown writes dirty pages to disk. */
const patience = { fast: 30_000, immediate: 5_000 }

/** A PostgreSQL server process. */
export interface Server {
  readonly pid: number
  /** The last lines of its standard error. */
  readonly lines: readonly string[]
  /** Resolves with the exit code or the signal when the server has ended, requested or not. */
  readonly exited: Promise<string>
  /** Stops the server: fast, then immediate, then by force. Resolves when it has ended. */
  stop(): Promise<void>
}

export async function startServer(
  program: string,
  args: readonly string[],
  launcher: Launcher,
  log: (line: string) => void,
): Promise<Server> {
  const child = launch(launcher, program, args, { cwd: '/', stdio: ['ignore', 'ignore', 'pipe'] })
  const lines = tail(child.stderr, log)
  const pid = await new Promise<number>((resolve, reject) => {
    child.once('error', reject)
    child.once('spawn', () => resolve(child.pid ?? 0))
  })
  const guard = launcher.diesWithParent ? undefined : guardOf(pid)
  const exited = new Promise<string>((resolve) => {
    // `close`, not `exit`: by then its last lines have been read.
    child.once('close', (code, signal) => {
      guard?.kill('SIGKILL')
      resolve(signal ?? `code ${code}`)
    })
  })
  return { pid, lines, exited, stop: () => stop(child, exited) }
}

async function stop(child: ChildProcess, exited: Promise<string>): Promise<void> {
  const steps = [
    { signal: 'SIGINT', wait: patience.fast },
    { signal: 'SIGQUIT', wait: patience.immediate },
  ] as const
  for (const { signal, wait } of steps) {
    child.kill(signal)
    if (await within(exited, wait)) return
  }
  child.kill('SIGKILL')
  await exited
}

async function within(done: Promise<unknown>, milliseconds: number): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<boolean>((resolve) => {
    timer = setTimeout(() => resolve(false), milliseconds)
  })
  return Promise.race([done.then(() => true), late]).finally(() => clearTimeout(timer))
}

/**
 * If the kernel cannot end PostgreSQL together with this process, a shell does it. Only this process holds the shell's input pipe
 * open, so the shell reads the end of its input when this process dies. The shell is killed as soon as PostgreSQL has ended,
 * before the process ID can be assigned again.
 */
function guardOf(pid: number): ChildProcess {
  const script = 'while read -r line; do :; done; kill -INT "$1"'
  const guard = spawn('/bin/sh', ['-c', script, 'sh', String(pid)], {
    cwd: '/',
    env: {},
    stdio: ['pipe', 'ignore', 'ignore'],
    detached: true,
  })
  guard.on('error', () => {})
  guard.stdin?.on('error', () => {})
  return guard
}
