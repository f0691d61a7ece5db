/** A TCP proxy before PostgreSQL that reads the server's messages: it loses messages on demand, or lets connections fall silent. */
import { connect, createServer, type Socket } from 'node:net'
import type { TestDatabase } from './postgres.ts'
import { notificationIn, ServerMessages } from './postgresWire.ts'

export interface NotifyProxy {
  readonly target: TestDatabase['target']
  /** Each notification whose payload fits is lost, and counted. */
  loses: (payload: string) => boolean
  readonly lost: number
  /** While true, no CommandComplete gets through. */
  losesTags: boolean
  /** Nothing gets through any more on the connections of this name that are open now, though they stay open. */
  silence(name: string): void
  /** Nothing gets through on any connection, not on new ones either, as if the process were gone. */
  silenceAll(): void
  close(): Promise<void>
}

interface Connection {
  readonly client: Socket
  readonly server: Socket
  /** What the connection is for, from its first message. */
  name: string | undefined
  silent: boolean
}

export async function notifyProxyTo(to: TestDatabase['target']): Promise<NotifyProxy> {
  const connections = new Set<Connection>()
  const state = { loses: (_payload: string): boolean => false, lost: 0, losesTags: false, allSilent: false }
  const drops = (message: Buffer): boolean => {
    if (state.losesTags && message[0] === 'C'.charCodeAt(0)) return true
    const payload = notificationIn(message)
    if (payload === undefined || !state.loses(payload)) return false
    state.lost += 1
    return true
  }
  const listener = createServer((client) => {
    const { host, port } = to.connection
    const server = host.startsWith('/') ? connect(`${host}/.s.PGSQL.${port}`) : connect(port, host)
    const one: Connection = { client, server, name: undefined, silent: state.allSilent }
    connections.add(one)
    const messages = new ServerMessages()
    client.on('data', (data) => {
      one.name ??= /signalbox (\w+)/.exec(data.toString('latin1'))?.[1] ?? ''
      if (!one.silent) server.write(data)
    })
    server.on('data', (data) => one.silent || client.write(messages.take(data, drops)))
    client.on('error', () => {})
    server.on('error', () => {})
    client.on('close', () => server.destroy())
    server.on('close', () => {
      connections.delete(one)
      client.destroy()
    })
  })
  await new Promise<void>((resolve) => listener.listen(0, '127.0.0.1', () => resolve()))
  const address = listener.address()
  const port = typeof address === 'object' && address !== null ? address.port : 0
  return {
    target: { connection: { ...to.connection, host: '127.0.0.1', port } },
    get loses() {
      return state.loses
    },
    set loses(value) {
      state.loses = value
    },
    get losesTags() {
      return state.losesTags
    },
    set losesTags(value) {
      state.losesTags = value
    },
    get lost() {
      return state.lost
    },
    silence(name) {
      for (const one of connections) if (one.name === name) one.silent = true
    },
    silenceAll() {
      state.allSilent = true
      for (const one of connections) one.silent = true
    },
    async close() {
      for (const { client, server } of connections) {
        client.destroy()
        server.destroy()
      }
      await new Promise((resolve) => listener.close(resolve))
    },
  }
}
