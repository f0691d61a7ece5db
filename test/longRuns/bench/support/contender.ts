/**
 * A measured server as a process of its own, so that its processor time does not include that of the load. A contender's file
 * calls `serve`; the bench calls `startContender`.
 */
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { openSync } from 'node:fs'

export interface Contender {
  readonly name: string
  readonly port: number
  readonly pid: number
  /** Microseconds of processor time that its process has used so far. */
  cpuMicros(): Promise<number>
  stop(): Promise<void>
}

interface Serving {
  readonly port: number
  stop(): Promise<void> | void
}

export interface ContenderProcess {
  readonly module: URL
  readonly options: unknown
  /** The destination of its standard output: a file, as in production. */
  readonly log: string
  /** A folder for a profile of its processor time. */
  readonly profile?: string | undefined
}

export async function startContender(name: string, start: ContenderProcess): Promise<Contender> {
  const { module, options, log, profile } = start
  const profiling = profile === undefined ? [] : ['--cpu-prof', `--cpu-prof-dir=${profile}`]
  const child = fork(module, [JSON.stringify(options)], {
    stdio: ['ignore', openSync(log, 'a'), 'inherit', 'ipc'],
    execArgv: [...process.execArgv, ...profiling],
  })
  const gone = once(child, 'exit').then(() => {
    throw new Error(`${name} ended`)
  })
  gone.catch(() => {})
  const told = async (): Promise<number> => {
    const [message] = (await Promise.race([once(child, 'message'), gone])) as [number]
    return message
  }
  const port = await told()
  return {
    name,
    port,
    pid: child.pid ?? -1,
    async cpuMicros() {
      child.send('cpu')
      return await told()
    },
    async stop() {
      const exit = once(child, 'exit')
      child.send('stop')
      await exit
    },
  }
}

export function contenderOptions<T>(): T {
  return JSON.parse(process.argv[2] ?? 'null') as T
}

/** Answers the bench until it sends `stop` or disconnects. */
export function serve({ port, stop }: Serving): void {
  process.on('message', (message) => {
    if (message === 'cpu') {
      const { user, system } = process.cpuUsage()
      process.send?.(user + system)
    } else void end()
  })
  process.on('disconnect', () => void end())
  process.send?.(port)

  async function end(): Promise<void> {
    await stop()
    process.exit(0)
  }
}
