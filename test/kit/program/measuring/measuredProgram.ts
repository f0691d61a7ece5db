/** The whole program as a child process that reports its memory and processor time. */
import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import type { Ports } from '../ports.ts'
import { environmentOf } from '../program.ts'
import type { Measured } from './measuring.ts'

export interface MeasuredProgram {
  readonly url: string
  readonly port: number
  readonly agentPort: number
  readonly pid: number
  /** Lines of its log of level `error` and above, and output that is not a log line. */
  readonly problems: readonly string[]
  measure(): Promise<Measured>
  /** The same, after a garbage collection. */
  collected(): Promise<Measured>
  /** Undefined while it runs. */
  exitCode(): number | null | undefined
  kill(): Promise<void>
  stop(): Promise<void>
}

export interface MeasuredOptions {
  readonly dataDir: string
  readonly ports: Ports
  readonly env?: Readonly<Record<string, string>>
  readonly execArgv?: readonly string[]
  /** The file that is started, if it is not the program alone. */
  readonly entry?: string
  /** Called with each line of its output, whether log or not. */
  readonly line?: (text: string) => void
}

export async function startMeasured({
  dataDir,
  ports,
  env,
  execArgv = [],
  entry = join(import.meta.dirname, 'measuredServer.ts'),
  line = () => {},
}: MeasuredOptions): Promise<MeasuredProgram> {
  const child = fork(entry, {
    execArgv: ['--no-warnings', '--expose-gc', ...execArgv],
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    env: { ...environmentOf(dataDir, ports), ...env },
  })
  const problems = problemsOf(child, line)
  let exitCode: number | null | undefined
  const exited = once(child, 'exit').then(([code]) => {
    exitCode = code as number | null
  })
  const ready = await Promise.race([once(child, 'message'), exited])
  if (ready === undefined) throw new Error(`the program ended with ${exitCode}:\n${problems.join('\n')}`)
  const [{ url, agentPort }] = ready as [{ url: string; agentPort: number }]
  const ask = asker(child)
  return {
    url,
    port: Number(new URL(url).port),
    agentPort,
    pid: child.pid ?? -1,
    problems,
    measure: () => ask('measure'),
    collected: () => ask('collect'),
    exitCode: () => exitCode,
    async kill() {
      child.kill('SIGKILL')
      await exited
    },
    async stop() {
      if (exitCode === undefined) child.kill('SIGTERM')
      await exited
    },
  }
}

const errorLevel = 50

function problemsOf(child: ChildProcess, each: (line: string) => void): string[] {
  const problems: string[] = []
  for (const stream of [child.stdout, child.stderr]) {
    let rest = ''
    stream?.on('data', (data: Buffer) => {
      const lines = (rest + data.toString()).split('\n')
      rest = lines.pop() ?? ''
      for (const line of lines) {
        each(line)
        if (isProblem(line)) problems.push(line)
      }
    })
  }
  return problems
}

function isProblem(line: string): boolean {
  if (line.trim() === '') return false
  const level = /^\{"level":(\d+)/.exec(line)?.[1]
  return level === undefined || Number(level) >= errorLevel
}

function asker(child: ChildProcess): (type: 'measure' | 'collect') => Promise<Measured> {
  const waiting = new Map<number, (measured: Measured) => void>()
  let asked = 0
  child.on('message', (message) => {
    const { id, measured } = message as { id?: number; measured?: Measured }
    if (id === undefined || measured === undefined) return
    waiting.get(id)?.(measured)
    waiting.delete(id)
  })
  return (type) =>
    new Promise((resolve, reject) => {
      const id = ++asked
      waiting.set(id, resolve)
      child.send({ id, type }, (error) => error && reject(error))
    })
}
