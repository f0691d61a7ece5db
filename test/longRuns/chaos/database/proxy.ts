/**
 * A TCP proxy between one process of the control plane and the database. It can reset connections, go silent like a broken
 * network (no data, no RST, no FIN), route new connections to another server, and drop single notifications.
 */
import { createServer, connect as dial, type Server, type Socket } from 'node:net'
import { notificationIn, ServerMessages, startupPacket } from '../../../kit/runtime/postgres/postgresWire.ts'
import type { Address } from './sql.ts'

/** The directions in which no data passes. */
export type Silence = 'none' | 'both' | 'toServer' | 'toClient'

interface Pair {
  readonly client: Socket
  server: Socket | undefined
  readonly messages: ServerMessages
  silence: Silence
}

/**
 * After a silence, the kernel retransmits data only at its next try, and the pauses between tries have grown. So an old
 * connection continues later than a new one is opened. Milliseconds.
 */
const latestRepeat = 3_000

export class DatabaseProxy {
  readonly #listener: Server
  readonly #pairs = new Set<Pair>()
  #target: Address
  #silence: Silence = 'none'
  #dropping: ((payload: string) => boolean) | undefined

  private constructor(target: Address) {
    this.#target = target
    this.#listener = createServer((client) => this.#accept(client))
  }

  static async start(target: Address): Promise<DatabaseProxy> {
    const proxy = new DatabaseProxy(target)
    await new Promise<void>((resolve) => proxy.#listener.listen(0, '127.0.0.1', () => resolve()))
    return proxy
  }

  get address(): Address {
    const address = this.#listener.address()
    if (address === null || typeof address === 'string') throw new Error('The proxy does not listen.')
    return { host: '127.0.0.1', port: address.port }
  }

  get connections(): number {
    return this.#pairs.size
  }

  /** Routes new connections to this server. Open connections stay. */
  route(target: Address): void {
    this.#target = target
  }

  /** Resets one connection, by its position in the order of opening. */
  resetOne(place: number): void {
    const all = [...this.#pairs]
    const pair = all[place % Math.max(1, all.length)]
    if (pair !== undefined) reset(pair)
  }

  resetAll(): void {
    for (const pair of [...this.#pairs]) reset(pair)
  }

  get silence(): Silence {
    return this.#silence
  }

  set silence(value: Silence) {
    this.#silence = value
    for (const pair of this.#pairs) {
      const wait = value === 'none' ? Math.random() * latestRepeat : 0
      setTimeout(() => this.#silencePair(pair, value), wait).unref()
    }
  }

  /** Drops the next notification whose payload contains the text. Resolves with whether one arrived in time. */
  loseNotification(text: string, withinMs: number): Promise<boolean> {
    return new Promise((resolve) => {
      const end = (lost: boolean): void => {
        clearTimeout(timer)
        this.#dropping = undefined
        resolve(lost)
      }
      const timer = setTimeout(() => end(false), withinMs)
      this.#dropping = (payload) => {
        if (!payload.includes(text)) return false
        end(true)
        return true
      }
    })
  }

  async close(): Promise<void> {
    for (const { client, server } of this.#pairs) {
      client.destroy()
      server?.destroy()
    }
    await new Promise((resolve) => this.#listener.close(resolve))
  }

  #accept(client: Socket): void {
    const pair: Pair = { client, server: undefined, messages: new ServerMessages(), silence: this.#silence }
    this.#pairs.add(pair)
    client.setNoDelay(true)
    client.on('error', () => {})
    client.on('close', () => this.#closed(pair))
    let first: Buffer = Buffer.alloc(0)
    const begin = (chunk: Buffer): void => {
      first = Buffer.concat([first, chunk])
      const kind = startupPacket(first)
      if (kind === 'incomplete') return
      if (pair.server === undefined) this.#dial(pair)
      if (kind === 'encryption') pair.messages.expectBareByte()
      else {
        client.off('data', begin)
        client.on('data', (data) => this.#pass(pair, client, pair.server, data))
      }
      pair.server?.write(first)
      first = Buffer.alloc(0)
    }
    client.on('data', begin)
    this.#obey(pair)
  }

  #dial(pair: Pair): void {
    const { host, port } = this.#target
    const server = dial(port, host)
    pair.server = server
    server.setNoDelay(true)
    server.on('error', () => {})
    server.on('data', (data) => {
      const kept = pair.messages.take(data, (message) => this.#drops(notificationIn(message)))
      this.#pass(pair, server, pair.client, kept)
    })
    server.on('close', () => this.#closed(pair))
    this.#obey(pair)
  }

  #drops(payload: string | undefined): boolean {
    return payload !== undefined && (this.#dropping?.(payload) ?? false)
  }

  #silencePair(pair: Pair, value: Silence): void {
    // A new silence may have begun while an old connection was still quiet.
    if (value === 'none' && this.#silence !== 'none') return
    pair.silence = value
    this.#obey(pair)
  }

  /** Data that is sent meanwhile waits in the kernel's buffers and arrives when the silence ends. */
  #obey(pair: Pair): void {
    const { client, server, silence } = pair
    const paused = (way: Silence): boolean => silence === 'both' || silence === way
    if (paused('toServer')) client.pause()
    else client.resume()
    if (paused('toClient')) server?.pause()
    else server?.resume()
    if (client.destroyed || server?.destroyed === true) this.#closed(pair)
  }

  /** A broken network does not report that the other side closed. The close is passed on when the silence ends. */
  #closed(pair: Pair): void {
    if (pair.silence !== 'none') return
    this.#pairs.delete(pair)
    pair.client.destroySoon()
    pair.server?.destroySoon()
  }

  #pass(pair: Pair, from: Socket, to: Socket | undefined, data: Buffer): void {
    if (data.length === 0 || to === undefined || to.destroyed || to.write(data)) return
    from.pause()
    to.once('drain', () => this.#obey(pair))
  }
}

function reset({ client, server }: Pair): void {
  client.resetAndDestroy()
  server?.resetAndDestroy()
}
