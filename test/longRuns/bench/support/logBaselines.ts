/**
 * The baselines of `bench:logs`, each a process of its own: graphql-ws's server on `ws` with the same schema, document and
 * payload, and uWebSockets.js alone, which encodes each chunk once and sends the same bytes to every socket. Neither stores anything.
 */
import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { buildSchema } from 'graphql'
import { useServer } from 'graphql-ws/use/ws'
import { WebSocketServer } from 'ws'
import { printCatalog } from '../../../../gateway/graphql/schema/print.ts'
import { listen, newApp, noCompression, type UwsSocket } from '../../../../gateway/http/uws.ts'
import { objectTypes, operations } from '../../../../gateway/operations/operations.ts'

export type Baseline = 'graphql-ws on ws' | 'raw uWebSockets.js'

export interface BaselineServer {
  readonly port: number
  append(first: number, chunks: readonly string[]): Promise<void>
  cpuMicros(): Promise<number>
  stop(): void
}

type Order =
  | { readonly id: number; readonly type: 'append'; readonly first: number; readonly chunks: readonly string[] }
  | { readonly id: number; readonly type: 'cpu' }

export async function startBaseline(baseline: Baseline): Promise<BaselineServer> {
  const child = fork(import.meta.filename, [baseline], { execArgv: ['--no-warnings', '--max-semi-space-size=64'] })
  const [{ port }] = (await once(child, 'message')) as [{ port: number }]
  const order = orderSender(child)
  return {
    port,
    append: async (first, chunks) => void (await order({ type: 'append', first, chunks })),
    cpuMicros: () => order({ type: 'cpu' }),
    stop: () => void child.kill(),
  }
}

type NewOrder = Omit<Extract<Order, { type: 'append' }>, 'id'> | Omit<Extract<Order, { type: 'cpu' }>, 'id'>

function orderSender(child: ChildProcess): (order: NewOrder) => Promise<number> {
  const waiting = new Map<number, (value: number) => void>()
  let count = 0
  child.on('message', (message) => {
    const { id, value } = message as { id: number; value: number }
    waiting.get(id)?.(value)
    waiting.delete(id)
  })
  return (order) =>
    new Promise((resolve) => {
      const id = ++count
      waiting.set(id, resolve)
      child.send({ ...order, id })
    })
}

const chunkOf = (sequence: number, dataBase64: string) => ({
  sequence,
  stream: 'STDOUT',
  dataBase64,
  at: new Date().toISOString(),
})
type Chunk = ReturnType<typeof chunkOf>
type Push = (chunks: readonly Chunk[]) => void

async function serveGraphqlWs(): Promise<{ port: number; push: Push }> {
  const schema = buildSchema(printCatalog({ operations, objectTypes }))
  const followers = new Set<Push>()
  const field = schema.getSubscriptionType()?.getFields().jobLogChunkAdded
  if (!field) throw new Error('the schema has no jobLogChunkAdded')
  field.subscribe = () => following(followers)
  const server = new WebSocketServer({ port: 0, host: '127.0.0.1', path: '/graphql' })
  await once(server, 'listening')
  useServer({ schema }, server)
  return {
    port: (server.address() as { port: number }).port,
    push: (chunks) => {
      for (const follower of followers) follower(chunks)
    },
  }
}

/** The chunks that wait for one follower, in order. */
async function* following(followers: Set<Push>): AsyncGenerator<{ jobLogChunkAdded: Chunk }> {
  let waiting: Chunk[] = []
  let wake = (): void => {}
  const push: Push = (chunks) => {
    waiting.push(...chunks)
    wake()
  }
  followers.add(push)
  try {
    for (;;) {
      const chunks = waiting
      waiting = []
      for (const jobLogChunkAdded of chunks) yield { jobLogChunkAdded }
      if (waiting.length === 0) await new Promise<void>((resolve) => (wake = resolve))
    }
  } finally {
    followers.delete(push)
  }
}

async function serveUws(): Promise<{ port: number; push: Push }> {
  const app = newApp()
  const sockets = new Set<UwsSocket<unknown>>()
  app.ws('/*', {
    compression: noCompression,
    maxBackpressure: 0,
    idleTimeout: 120,
    open: (ws) => void sockets.add(ws),
    close: (ws) => void sockets.delete(ws),
  })
  const listening = await listen(app, '127.0.0.1', 0)
  if (!listening) throw new Error('no port is free')
  return {
    port: listening.port,
    push: (chunks) => {
      const messages = chunks.map((chunk) =>
        Buffer.from(JSON.stringify({ id: 's', type: 'next', payload: { data: { jobLogChunkAdded: chunk } } })),
      )
      for (const ws of sockets)
        ws.cork(() => {
          for (const message of messages) ws.send(message, false)
        })
    },
  }
}

async function serve(baseline: Baseline): Promise<void> {
  const { port, push } = await (baseline === 'graphql-ws on ws' ? serveGraphqlWs() : serveUws())
  process.on('message', (message) => {
    const order = message as Order
    if (order.type === 'append') push(order.chunks.map((data, index) => chunkOf(order.first + index, data)))
    const { user, system } = process.cpuUsage()
    process.send?.({ id: order.id, value: user + system })
  })
  process.on('disconnect', () => process.exit(0))
  process.send?.({ port })
}

const [, entry, baseline] = process.argv
if (entry === import.meta.filename) await serve(baseline as Baseline)
