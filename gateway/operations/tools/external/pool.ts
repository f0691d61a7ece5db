/**
 * A pool of connections to external servers, limited for each server and in total. One call uses a connection at a time, and the next
 * call uses it again. It is not used again after the endpoint or the credentials of its server have changed, or after a call on it
 * has failed.
 */
import type { Clock } from '../../../../actors/ports/clock.ts'
import { ExternalCallFailed } from '../../../../spec/tools/external.ts'
import type { McpConnection } from './connection.ts'
import { HttpRefused, ServerRefused, ServerTimedOut } from './problems.ts'
import type { ExternalServer } from './servers.ts'

export interface ConnectionPoolOptions {
  readonly clock: Clock
  readonly mostPerServer: number
  readonly most: number
  open(server: ExternalServer, signal: AbortSignal): Promise<McpConnection>
}

interface IdleConnection {
  readonly serverId: string
  readonly endpointRevision: number
  readonly connection: McpConnection
  readonly stopWaiting: () => void
}

/** An unused connection is closed after this time. */
const idleMs = 60_000

export class ConnectionPool {
  readonly #options: ConnectionPoolOptions
  /** The unused connections, the oldest first. */
  readonly #idle: IdleConnection[] = []
  /** The number of open connections by server, with the unused ones. */
  readonly #open = new Map<string, number>()
  readonly #using = new Set<Promise<unknown>>()
  readonly #closing = new Set<Promise<void>>()
  #waiting: (() => void)[] = []
  #closed = false

  constructor(options: ConnectionPoolOptions) {
    this.#options = options
  }

  /**
   * If the server reports that the session is unknown, it has not executed the request. Then the work is repeated once in a new session.
   * @throws the errors of opening a connection and of the work, and the signal's reason
   */
  async use<T>(
    server: ExternalServer,
    signal: AbortSignal,
    work: (connection: McpConnection) => Promise<T>,
  ): Promise<T> {
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

  async #twice<T>(
    server: ExternalServer,
    signal: AbortSignal,
    work: (connection: McpConnection) => Promise<T>,
  ): Promise<T> {
    try {
      return await this.#once(server, signal, work)
    } catch (error) {
      if (!(error instanceof HttpRefused && error.sessionUnknown)) throw error
      // A server that lost one session has most likely lost all of them.
      this.#closeIdle((idle) => idle.serverId === server.id)
      return await this.#once(server, signal, work)
    }
  }

  async #once<T>(
    server: ExternalServer,
    signal: AbortSignal,
    work: (connection: McpConnection) => Promise<T>,
  ): Promise<T> {
    const connection = await this.#acquire(server, signal)
    let isReusable = false
    try {
      const result = await work(connection)
      isReusable = true
      return result
    } catch (error) {
      isReusable = error instanceof ServerRefused
      throw error
    } finally {
      if (isReusable && !this.#closed) this.#keep(server, connection)
      else this.#end(server.id, connection)
      this.#wake()
    }
  }

  async #acquire(server: ExternalServer, signal: AbortSignal): Promise<McpConnection> {
    for (;;) {
      signal.throwIfAborted()
      this.#closeIdle(
        ({ serverId, endpointRevision, connection }) =>
          serverId === server.id && (endpointRevision !== server.endpointRevision || !connection.isUsable),
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

  async #openOne(server: ExternalServer, signal: AbortSignal): Promise<McpConnection> {
    this.#open.set(server.id, (this.#open.get(server.id) ?? 0) + 1)
    try {
      return await this.#options.open(server, signal)
    } catch (error) {
      this.#drop(server.id)
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
    if (signal.aborted && signal.reason instanceof ServerTimedOut)
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
    for (const retry of waiting) retry()
  }

  #keep({ id: serverId, endpointRevision }: ExternalServer, connection: McpConnection): void {
    const stopWaiting = this.#options.clock.after(idleMs, () => this.#closeIdle((one) => one === idle))
    const idle: IdleConnection = { serverId, endpointRevision, connection, stopWaiting }
    this.#idle.push(idle)
  }

  #closeIdle(which: (idle: IdleConnection) => boolean): void {
    for (const idle of this.#idle.filter(which)) {
      this.#takeOut(idle)
      this.#end(idle.serverId, idle.connection)
    }
  }

  #takeOut(idle: IdleConnection): void {
    idle.stopWaiting()
    this.#idle.splice(this.#idle.indexOf(idle), 1)
  }

  #end(serverId: string, connection: McpConnection): void {
    this.#drop(serverId)
    const closing = connection.close().finally(() => this.#closing.delete(closing))
    this.#closing.add(closing)
  }

  #drop(serverId: string): void {
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
