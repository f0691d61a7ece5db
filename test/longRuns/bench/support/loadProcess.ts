/** The load as a process of its own: it receives a target, and returns the results and its own processor use. */
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { HttpConnection, type HttpTarget } from './httpLoad.ts'
import { type LoadResult, runLoad } from './load.ts'
import { SocketConnection, type SocketTarget } from './socketLoad.ts'

export interface Target {
  readonly inFlight: number
  readonly forMs: number
  readonly warmupMs: number
}

export interface Loader {
  /** @param when called when the warm-up is over */
  run(target: HttpTarget | SocketTarget, when: () => void): Promise<LoadResult>
  stop(): void
}

export function startLoader(): Loader {
  const child = fork(fileURLToPath(import.meta.url), { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] })
  return {
    async run(target, when) {
      const done = Promise.withResolvers<LoadResult>()
      const hear = (message: LoadResult | { error: string } | 'warm'): void => {
        if (message === 'warm') when()
        else if ('error' in message) done.reject(new Error(message.error))
        else done.resolve(message)
      }
      child.on('message', hear)
      child.send(target)
      return await done.promise.finally(() => child.off('message', hear))
    },
    stop: () => void child.kill(),
  }
}

async function load(target: HttpTarget | SocketTarget): Promise<LoadResult> {
  const { inFlight, forMs, warmupMs } = target
  setTimeout(() => process.send?.('warm'), warmupMs)
  if (target.type === 'http') {
    const connections = Array.from({ length: inFlight }, () => new HttpConnection(target))
    const ask = (caller: number) => connections[caller]?.ask() ?? Promise.reject(new Error('no such connection'))
    return await runLoad({ inFlight, forMs, warmupMs, ask }).finally(() => {
      for (const connection of connections) connection.close()
    })
  }
  const socket = await SocketConnection.open(target)
  return await runLoad({ inFlight, forMs, warmupMs, ask: (caller) => socket.ask(caller) }).finally(() => socket.close())
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  process.on('disconnect', () => process.exit())
  for (;;) {
    const [target] = (await once(process, 'message')) as [HttpTarget | SocketTarget]
    const result = await load(target).catch((error: unknown) => ({ error: String(error) }))
    process.send?.(result)
  }
}
