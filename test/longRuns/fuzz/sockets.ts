/** Operations over sockets, one kept for each caller, and messages that no client should send there. */
import WebSocket from 'ws'
import type { Random } from '../soak/random.ts'
import type { Caller } from './callers/caller.ts'
import type { Result } from './judge/graphql.ts'
import type { Asking } from './make/graphqlRequest.ts'

export interface SocketHeard {
  /** The first result or error; undefined if none arrived in time, as for a subscription without news. */
  readonly result: Result | undefined
  readonly closed: number | undefined
  /** All received data. */
  readonly text: string
}

interface Waiting {
  next(message: Message): void
}

interface Message {
  readonly type: string
  readonly id?: string
  readonly payload?: unknown
}

const ackMs = 10_000

/** One connection of one caller. */
class Socket {
  readonly ready: Promise<void>
  closed: number | undefined
  readonly #ws: WebSocket
  readonly #waiting = new Map<string, Waiting>()
  #ids = 0

  constructor(url: string, caller: Caller, origin: string) {
    const { cookie } = caller.headers
    const headers = cookie === undefined ? {} : { cookie, origin }
    this.#ws = new WebSocket(url, 'graphql-transport-ws', { headers })
    this.ready = new Promise((resolve) => {
      const timer = setTimeout(resolve, ackMs)
      const done = () => {
        clearTimeout(timer)
        resolve()
      }
      this.#ws.on('open', () => this.#ws.send(JSON.stringify({ type: 'connection_init', payload: caller.params })))
      this.#ws.on('message', (data) => {
        const message = JSON.parse(String(data)) as Message
        if (message.type === 'connection_ack') done()
        else if (message.type === 'ping') this.#ws.send('{"type":"pong"}')
        else if (message.id !== undefined) this.#waiting.get(message.id)?.next(message)
      })
      this.#ws.on('close', (code) => {
        this.closed = code
        done()
        for (const { next } of this.#waiting.values()) next({ type: 'closed' })
      })
      this.#ws.on('error', () => {})
    })
  }

  async ask({ query, variables }: Pick<Asking, 'query' | 'variables'>, waitMs: number): Promise<SocketHeard> {
    await this.ready
    if (this.closed !== undefined) return { result: undefined, closed: this.closed, text: '' }
    const id = String(++this.#ids)
    const message = await new Promise<Message | undefined>((resolve) => {
      const timer = setTimeout(() => resolve(undefined), waitMs)
      this.#waiting.set(id, {
        next: (one) => {
          clearTimeout(timer)
          resolve(one)
        },
      })
      this.#ws.send(JSON.stringify({ id, type: 'subscribe', payload: { query, variables } }))
    })
    this.#waiting.delete(id)
    if (message?.type !== 'error' && this.closed === undefined) this.#ws.send(JSON.stringify({ id, type: 'complete' }))
    return { result: resultOf(message), closed: this.closed, text: JSON.stringify(message) ?? '' }
  }

  end(): void {
    this.#ws.terminate()
  }
}

function resultOf(message: Message | undefined): Result | undefined {
  if (message?.type === 'next') return message.payload as Result
  if (message?.type === 'error') return { errors: message.payload as NonNullable<Result['errors']> }
  return undefined
}

export class Sockets {
  readonly #url: string
  readonly #origin: string
  readonly #open = new Map<Caller, Socket>()

  constructor(url: string, origin: string) {
    this.#url = url
    this.#origin = origin
  }

  async ask(caller: Caller, asking: Pick<Asking, 'query' | 'variables'>, waitMs: number): Promise<SocketHeard> {
    const known = this.#open.get(caller)
    const socket = known && known.closed === undefined ? known : new Socket(this.#url, caller, this.#origin)
    if (caller.name !== undefined) this.#open.set(caller, socket)
    const heard = await socket.ask(asking, waitMs)
    // A caller without a name is another one the next time.
    if (caller.name === undefined) socket.end()
    if (socket.closed !== undefined) this.#open.delete(caller)
    return heard
  }

  /** Sends one invalid message. */
  async strange(caller: Caller, random: Random): Promise<SocketHeard & { readonly how: string }> {
    const ws = new WebSocket(this.#url, random.pick(['graphql-transport-ws', 'graphql-transport-ws', 'graphql-ws']))
    const how = random.pick(Object.keys(messages))
    let text = ''
    const closed = await new Promise<number | undefined>((resolve) => {
      const timer = setTimeout(() => resolve(undefined), 150)
      ws.on('open', () => {
        if (random.chance(0.7)) ws.send(JSON.stringify({ type: 'connection_init', payload: caller.params }))
        for (const message of messages[how]?.(random) ?? []) ws.send(message)
      })
      ws.on('message', (data) => (text += String(data)))
      ws.on('close', (code) => {
        clearTimeout(timer)
        resolve(code)
      })
      ws.on('error', () => {})
    })
    ws.terminate()
    return { result: undefined, closed, text, how }
  }

  close(): void {
    for (const socket of this.#open.values()) socket.end()
  }
}

type Data = string | Buffer

const subscribe = (id: unknown, payload: unknown): string => JSON.stringify({ id, type: 'subscribe', payload })

const messages: Readonly<Record<string, (random: Random) => readonly Data[]>> = {
  'invalid JSON': (random) => [random.pick(['', '{', 'null', '[]', '1', '"x"'])],
  'random text': (random) => [random.text()],
  'random bytes': (random) => [random.bytes(50)],
  'an unknown type': () => [JSON.stringify({ type: 'start', id: '1' })],
  'two inits': () => [JSON.stringify({ type: 'connection_init' }), JSON.stringify({ type: 'connection_init' })],
  'odd parameters': (random) => [
    JSON.stringify({
      type: 'connection_init',
      payload: random.pick([[], 1, 'x', { authorization: 7 }, { 'X-API-Key': {} }]),
    }),
  ],
  'one ID for two operations': () => [
    subscribe('1', { query: 'subscription { agentStatusChanged { id } }' }),
    subscribe('1', { query: 'subscription { agentStatusChanged { id } }' }),
  ],
  'no id': (random) => [subscribe(random.pick([1, '', null, {}]), { query: '{ health }' })],
  'no payload': (random) => [subscribe('1', random.pick([null, [], 'x', { query: 5 }, { query: '{' }]))],
  'a huge id': () => [subscribe('x'.repeat(50_000), { query: '{ __typename }' })],
  'a huge message': () => [subscribe('1', { query: `{ __typename } #${'x'.repeat(1_200_000)}` })],
  'a deep message': () => ['['.repeat(100_000)],
  'complete of an unknown operation': (random) => [
    JSON.stringify({ type: 'complete', id: random.pick(['1', 2, null]) }),
  ],
  'subscribe and complete at once': () => [
    subscribe('1', { query: 'subscription { runStatusChanged { id } }' }),
    JSON.stringify({ type: 'complete', id: '1' }),
  ],
  'many at once': () => Array.from({ length: 120 }, (_, n) => subscribe(String(n), { query: '{ __typename }' })),
  ping: () => [JSON.stringify({ type: 'ping', payload: { a: 1 } }), JSON.stringify({ type: 'pong' })],
}
