/** The common part of the proxies before PostgreSQL: each client connection has one connection to the server, and both end together. */
import { connect, createServer, type Socket } from 'node:net'
import type { TestDatabase } from './postgres.ts'

export interface Pair {
  readonly client: Socket
  readonly server: Socket
}

/** The handlers of received data. */
export interface Passing {
  fromClient(data: Buffer): void
  fromServer(data: Buffer): void
}

export interface Pairs<P extends Pair> {
  readonly target: TestDatabase['target']
  readonly open: ReadonlySet<P>
  close(): Promise<void>
}

interface PairsOptions {
  /** New connections are reset, as if no process listened. */
  readonly refuses?: () => boolean
  /** Keeps PostgreSQL's side of a cut connection open, so that its backend continues. */
  readonly half?: boolean
}

export async function pairsTo<P extends Pair>(
  to: TestDatabase['target'],
  accept: (pair: Pair) => P & Passing,
  { refuses = () => false, half = false }: PairsOptions = {},
): Promise<Pairs<P>> {
  const open = new Set<P>()
  const { host, port } = to.connection
  const listener = createServer((client) => {
    if (refuses()) {
      client.resetAndDestroy()
      return
    }
    const server = host.startsWith('/') ? connect(`${host}/.s.PGSQL.${port}`) : connect(port, host)
    const pair = accept({ client, server })
    open.add(pair)
    client.on('data', (data) => pair.fromClient(data))
    server.on('data', (data) => pair.fromServer(data))
    client.on('error', () => {})
    server.on('error', () => {})
    client.on('close', () => {
      if (!half) server.destroy()
    })
    server.on('close', () => {
      open.delete(pair)
      client.destroy()
    })
  })
  await new Promise<void>((resolve) => listener.listen(0, '127.0.0.1', () => resolve()))
  const address = listener.address()
  if (address === null || typeof address === 'string') throw new Error('The proxy does not listen.')
  return {
    target: { connection: { ...to.connection, host: '127.0.0.1', port: address.port } },
    open,
    async close() {
      for (const { client, server } of open) {
        client.destroy()
        server.destroy()
      }
      await new Promise((resolve) => listener.close(resolve))
    },
  }
}
