/**
 * A pool of connections to external servers, limited for each server and in total. One call uses a connection at a time, and the next
 * call uses it again. It is not used again after the endpoint or the credentials of its server have changed, or after a call on it
 * has failed.
 */
import type { Clock } from '../../../../actors/ports/clock.ts'
import { ExternalCallFailed } from '../../../../spec/tools/external.ts'
import type { Connection } from './connection.ts'
import { HttpRefused, ServerRefused, TooSlow } from './problems.ts'
import type { Server } from './servers.ts'

export interface PoolOptions {
  readonly clock: Clock
  readonly mostPerServer: number
  readonly most: number
  open(server: Server, signal: AbortSignal): Promise<Connection>
}

interface Idle {
  readonly serverId: string
  readonly endpointRevision: number
  readonly connection: Connection
  readonly stopWaiting: () => void
}

/** An unused connection is closed after this time. */
const idleMs = 60_000

export class ConnectionPool {
  readonly #options: PoolOptions
  /** The unused connections, the oldest first. */
  readonly #idle: Idle[] = []
  /** The number of open connections by server, with the unused ones. */
  readonly #open = new Map<string, number>()
  readonly #using = new Set<Promise<unknown>>()
  readonly #closing = new Set<Promise<void>>()
  #waiting: (() => void)[] = []
  #closed = false

  constructor(options: PoolOptions) {
    this.#options = options
  }

  /**
   * If the server reports that the session is unknown, it has not executed the request. Then the work is repeated once in a new session.
   * @throws the errors of opening a connection and of the work, and the signal's reason
   */
  async use<T>(server: Server, signal: AbortSignal, work: (connection: Connection) => Promise<T>): Promise<T> {
    const using = this.#twice(server, signal, work)
    this.#using.add(using)
    return await using.finally(() => this.#using.delete(using))
  }

  /** Waits for the connections in use. The caller has aborted their calls before. */
  async close(): Promise<void> {
    this.#closed = true
    this.#closeIdle(() => true)
    this.#wake()
    await Promise.allSettled(this.#using)
    await Promise.all(this.#closing)
  }

  async #twice<T>(server: Server, signal: AbortSignal, work: (connection: Connection) => Promise<T>): Promise<T> {
    try {
      return await this.#once(server, signal, work)
    } catch (error) {
      if (!(error instanceof HttpRefused && error.sessionUnknown)) throw error
      // A server that lost one session has most likely lost all of them.
      this.#closeIdle((idle) => idle.serverId === server.id)
      return await this.#once(server, signal, work)
    }
  }

  async #once<T>(server: Server, signal: AbortSignal, work: (connection: Connection) => Promise<T>): Promise<T> {
    const connection = await this.#acquire(server, signal)
    let sound = false
    try {
      const result = await work(connection)
      sound = true
      return result
    } catch (error) {
      sound = error instanceof ServerRefused
      throw error
    } finally {
      if (sound && !this.#closed) this.#keep(server, connection)
      else this.#end(server.id, connection)
      this.#wake()
    }
  }

  async #acquire(server: Server, signal: AbortSignal): Promise<Connection> {
    for (;;) {
      signal.throwIfAborted()
      this.#closeIdle(
        ({ serverId, endpointRevision, connection }) =>
          serverId === server.id && (endpointRevision !== server.endpointRevision || !connection.usable),
      )
      const idle = this.#idle.findLast(({ serverId }) => serverId === server.id)
      if (idle !== undefined) {
        this.#takeOut(idle)
        return idle.connection
      }
      if (this.#mayOpen(server.id)) return await this.#openOne(server, signal)
      await this.#turn(signal)
    }
  }

  /** If the pool is full, it closes the connection that has been unused for longest. */
  #mayOpen(serverId: string): boolean {
    const { most, mostPerServer } = this.#options
    if ((this.#open.get(serverId) ?? 0) >= mostPerServer) return false
    if (this.#count() < most) return true
    const oldest = this.#idle[0]
    if (oldest === undefined) return false
    this.#closeIdle((idle) => idle === oldest)
    return true
  }

  async #openOne(server: Server, signal: AbortSignal): Promise<Connection> {
    this.#open.set(server.id, (this.#open.get(server.id) ?? 0) + 1)
    try {
      return await this.#options.open(server, signal)
    } catch (error) {
      this.#forget(server.id)
      this.#wake()
      throw error
    }
  }

  /** Waits until a connection is returned or closed. */
  async #turn(signal: AbortSignal): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>()
    this.#waiting.push(resolve)
    const end = () => resolve()
    signal.addEventListener('abort', end, { once: true })
    await promise
    signal.removeEventListener('abort', end)
    // The server did not fail: all connections were in use. So the breaker does not count this.
    if (signal.aborted && signal.reason instanceof TooSlow)
      throw new ExternalCallFailed(
        'TRANSPORT_ERROR',
        'TIMED_OUT',
        'All connections to the server were in use. Try again later.',
      )
  }

  /** All waiting calls try again, in the order in which they came. */
  #wake(): void {
    const waiting = this.#waiting
    this.#waiting = []
    for (const look of waiting) look()
  }

  #keep({ id: serverId, endpointRevision }: Server, connection: Connection): void {
    const stopWaiting = this.#options.clock.after(idleMs, () => this.#closeIdle((one) => one === idle))
    const idle: Idle = { serverId, endpointRevision, connection, stopWaiting }
    this.#idle.push(idle)
  }

  #closeIdle(which: (idle: Idle) => boolean): void {
    for (const idle of this.#idle.filter(which)) {
      this.#takeOut(idle)
      this.#end(idle.serverId, idle.connection)
    }
  }

  #takeOut(idle: Idle): void {
    idle.stopWaiting()
    this.#idle.splice(this.#idle.indexOf(idle), 1)
  }

  #end(serverId: string, connection: Connection): void {
    this.#forget(serverId)
    const closing = connection.close().finally(() => this.#closing.delete(closing))
    this.#closing.add(closing)
  }

  #forget(serverId: string): void {
    const left = (this.#open.get(serverId) ?? 0) - 1
    if (left > 0) this.#open.set(serverId, left)
    else this.#open.delete(serverId)
  }

  #count(): number {
    let count = 0
    for (const open of this.#open.values()) count += open
    return count
  }
}
