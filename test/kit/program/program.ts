/**
 * The whole program as a child process, in the same way as `npm start` runs it. A test can send requests to it, kill it, and
 * start it again on the same ports.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { join, resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { freshDatabase } from '../runtime/postgres/preparedFolder.ts'
import type { Ports } from './ports.ts'

const project = resolve(import.meta.dirname, '../../..')

export interface Program {
  readonly url: string
  readonly agentUrl: string
  readonly pid: number
  /** Milliseconds from its start until it answered `/api/public/ready`. */
  readonly readyAfter: number
  /** Resolves with its exit code when it has ended, for whatever reason; null if a signal ended it. */
  readonly exited: Promise<number | null>
  /** Its output so far. */
  output(): string
  /** Ends it at once, like a power failure. Resolves when it has ended. */
  kill(): Promise<void>
  /** Stops it in order. Resolves with its exit code. */
  stop(): Promise<number | null>
}

export interface ProgramOptions {
  readonly dataDir: string
  /** The same ports as before, so that agents and clients find it again. */
  readonly ports: Ports
  readonly env?: Readonly<Record<string, string>>
  /** Its working folder, below which its local agent searches for repositories; this project's folder if omitted. */
  readonly cwd?: string
  /** The folder of the program, if it is not this project's. */
  readonly root?: string
  /** Milliseconds; 20,000 if omitted. */
  readonly readyWithin?: number
}

/** The environment of the program: its listeners and its data folder. */
export const environmentOf = (dataDir: string, ports: Ports) => ({
  ...bareEnvironment(),
  PORT: String(ports.main),
  AGENT_WS_PORT: String(ports.agent),
  DATA_DIR: dataDir,
  LOCAL_AGENT: 'off',
  LOG_FORMAT: 'json',
})

export async function startProgram({
  dataDir,
  ports,
  env = {},
  root = project,
  cwd = root,
  readyWithin = 400_000,
}: ProgramOptions): Promise<Program> {
  if (env.DATABASE_URL === undefined) await freshDatabase(dataDir)
  const begun = performance.now()
  const child = spawn(process.execPath, ['--no-warnings', join(root, 'main.ts')], {
    cwd,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...environmentOf(dataDir, ports), ...env },
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (data: Buffer) => (output += data.toString()))
  const exited = new Promise<number | null>((done) => child.once('exit', (code) => done(code)))
  const url = `http://127.0.0.1:${ports.main}`
  await waitUntilReady(child, url, readyWithin, () => output)
  return {
    url,
    agentUrl: `ws://127.0.0.1:${ports.agent}/graphql`,
    pid: child.pid ?? -1,
    readyAfter: performance.now() - begun,
    exited,
    output: () => output,
    async kill() {
      child.kill('SIGKILL')
      await exited
    },
    stop() {
      child.kill('SIGTERM')
      return exited
    },
  }
}

async function waitUntilReady(child: ChildProcess, url: string, within: number, output: () => string): Promise<void> {
  const deadline = Date.now() + within
  while (Date.now() < deadline) {
    if (child.exitCode !== null || child.signalCode !== null)
      throw new Error(`the program ended with ${child.exitCode} before it was ready:\n${output()}`)
    const answer = await fetch(`${url}/api/public/ready`).catch(() => undefined)
    await answer?.arrayBuffer()
    if (answer?.ok) return
    await sleep(25)
  }
  child.kill('SIGKILL')
  throw new Error(`the program was not ready within ${within} ms:\n${output()}`)
}

/**
 * The environment of programs that the tests start: the paths of tools, and the options with which Node loads files fast. It
 * contains no setting of the machine's owner.
 */
export function bareEnvironment(): Record<string, string> {
  const names = ['PATH', 'HOME', 'NODE_COMPILE_CACHE', 'NODE_OPTIONS']
  return Object.fromEntries(names.flatMap((name) => (process.env[name] ? [[name, process.env[name]]] : [])))
}
