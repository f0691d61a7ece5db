/** A TCP proxy before PostgreSQL that cuts connections on demand: before what was sent arrives, or before the answer does. */
import { connect, createServer, type Socket } from 'node:net'
import type { TestDatabase } from './postgres.ts'

export interface CuttingProxy {
  readonly target: TestDatabase['target']
  /** What becomes of the next commit: lost on its way there, or its answer on its way back. */
  cut: 'request' | 'answer' | 'nothing'
  /** Nothing gets through: connections are cut, and new ones are reset, as where nobody listens. */
  away: boolean
  /** Connections that are open. */
  readonly open: number
  /** While true, connections stay open and nothing more arrives on either side. What was held back is lost. */
  silent: boolean
  /** Resets all connections (TCP RST) on the side of the program. */
  resetClients(): void
  /** Cuts all connections on the side of the program; PostgreSQL's side stays open, as behind a dead network. */
  dropClients(): void
  close(): Promise<void>
}

/**
 * @param marks what a commit's message contains, so that only it is cut
 * @param half leaves PostgreSQL's side of a cut connection open, so that its backend goes on
 */
export async function proxyTo(
  to: TestDatabase['target'],
  marks: string,
  options: { readonly half?: boolean } = {},
): Promise<CuttingProxy> {
  const pairs = new Set<{ client: Socket; server: Socket }>()
  const state = { cut: 'nothing' as CuttingProxy['cut'], away: false, silent: false }
  const dropClients = (): void => {
    for (const { client } of pairs) client.destroy()
  }
  const listener = createServer((client) => {
    if (state.away) {
      client.resetAndDestroy()
      return
    }
    const path = to.connection.host.startsWith('/')
    const server = path
      ? connect(`${to.connection.host}/.s.PGSQL.${to.connection.port}`)
      : connect(to.connection.port, to.connection.host)
    const pair = { client, server }
    pairs.add(pair)
    let answerCut = false
    // A connection that has missed something stays silent.
    let missed = false
    client.on('data', (data) => {
      if (state.silent) missed = true
      if (missed) return
      if (state.cut !== 'nothing' && data.includes(marks)) {
        if (state.cut === 'request') {
          state.cut = 'nothing'
          client.destroy()
          return
        }
        state.cut = 'nothing'
        answerCut = true
      }
      server.write(data)
    })
    server.on('data', (data) => {
      // The answer is there, so it is committed: the program is not told.
      if (state.silent) missed = true
      if (missed) return
      if (answerCut) client.destroy()
      else client.write(data)
    })
    client.on('error', () => {})
    server.on('error', () => {})
    client.on('close', () => {
      if (!options.half) server.destroy()
    })
    server.on('close', () => {
      pairs.delete(pair)
      client.destroy()
    })
  })
  await new Promise<void>((resolve) => listener.listen(0, '127.0.0.1', () => resolve()))
  const address = listener.address()
  const port = typeof address === 'object' && address !== null ? address.port : 0
  return {
    target: { connection: { ...to.connection, host: '127.0.0.1', port } },
    get cut() {
      return state.cut
    },
    set cut(value) {
      state.cut = value
    },
    get away() {
      return state.away
    },
    set away(value) {
      state.away = value
      if (value) dropClients()
    },
    get silent() {
      return state.silent
    },
    set silent(value) {
      state.silent = value
    },
    resetClients() {
      for (const { client } of pairs) client.resetAndDestroy()
    },
    get open() {
      return pairs.size
    },
    dropClients,
    async close() {
      for (const { client, server } of pairs) {
        client.destroy()
        server.destroy()
      }
      await new Promise((resolve) => listener.close(resolve))
    },
  }
}
