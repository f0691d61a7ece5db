/**
 * Several connections for statements that may run side by side. A connection that is lost is replaced, and only what was sent on
 * it fails. If all are busy, statements are pipelined.
 */

import { QueueDeadlines } from '../../actors/flow/queueDeadlines.ts'
import { type BackOffPolicy, backOffMs } from '../../spec/core/backOff.ts'
import { type Connection, type ConnectionOptions, openConnection } from './connection.ts'
import { NoConnection } from './errors.ts'
import { type Queries, statementOf } from './statement.ts'
import { type ResolvedTarget, resolveTarget, type Target } from './target.ts'

export interface PoolOptions extends Omit<ConnectionOptions, 'onLost' | 'onAnswer'> {
  readonly max: number
}

export interface Sql extends Queries {
  /** Runs it in a transaction on a connection that no other caller uses meanwhile. */
  begin<R>(run: (tx: Queries) => Promise<R>): Promise<R>
  /** Waits so many seconds for what was sent, then cuts all connections. Default: as long as the answers take. */
  end(options?: { readonly timeout?: number }): Promise<void>
}

interface Waiting {
  /** Once it was sent. */
  connection?: Connection
  readonly start: (connection: Connection) => void
  readonly reject: (error: unknown) => void
}

/** Statements in flight on one connection. */
const pipelineLimit = 100
/** Statements that wait for a connection. More are refused at once. */
const waitingLimit = 10_000
/** For a statement that has no connection yet, milliseconds. */
export const connectionWithinMs = 4_000
const reopenPolicy: BackOffPolicy = { firstMs: 10, factor: 2, mostMs: 500, jitter: 0.5 }

export function openPool(target: Target, options: PoolOptions): Sql {
  const pool = new Pool(resolveTarget(target), options)
  const sql = statementOf((text, values, how) => pool.run((connection) => connection.unsafe(text, values, how)))
  return Object.assign(sql, {
    begin: <R>(run: (tx: Queries) => Promise<R>) => pool.run((connection) => connection.begin(run)),
    end: (how: { readonly timeout?: number } = {}) => pool.end(how.timeout),
  })
}

class Pool {
  readonly #target: ResolvedTarget
  readonly #options: PoolOptions
  readonly #connections = new Set<Connection>()
  /** No new statements are sent on them. */
  readonly #retired = new Set<Connection>()
  /** Statements that have to wait for their connections. Waiting and answer together have the time of one answer. */
  readonly #queue: QueueDeadlines<Waiting>
  #opening = 0
  #failures = 0
  #reopen: NodeJS.Timeout | undefined
  #ended = false

  constructor(target: ResolvedTarget, options: PoolOptions) {
    this.#target = target
    this.#options = options
    const { answerWithinMs } = options
    const limits = { startWithinMs: Math.min(connectionWithinMs, answerWithinMs), endWithinMs: answerWithinMs }
    this.#queue = new QueueDeadlines(limits, (waiting, limit) => {
      if (limit === 'endWithinMs') waiting.connection?.cut(`no answer within ${answerWithinMs} ms`)
      else waiting.reject(new NoConnection(`no connection to PostgreSQL within ${limits.startWithinMs} ms`))
    })
  }

  run<R>(send: (connection: Connection) => Promise<R>): Promise<R> {
    if (this.#ended) return Promise.reject(new NoConnection('the connections to PostgreSQL are closed'))
    const free = this.#queue.waiting === 0 ? this.#choose() : undefined
    if (free !== undefined) return this.#send(free, send)
    if (this.#queue.waiting >= waitingLimit) {
      return Promise.reject(new NoConnection(`${waitingLimit} statements wait for a connection to PostgreSQL`))
    }
    return new Promise<R>((resolve, reject) => {
      const waiting: Waiting = {
        start: (connection) => {
          waiting.connection = connection
          void this.#send(connection, send)
            .then(resolve, reject)
            .finally(() => this.#queue.end(waiting))
        },
        reject,
      }
      this.#queue.add(waiting)
    })
  }

  async end(timeoutSeconds?: number): Promise<void> {
    this.#ended = true
    clearTimeout(this.#reopen)
    for (const { reject } of this.#queue.takeWaiting())
      reject(new NoConnection('the connections to PostgreSQL are closed'))
    const all = [...this.#connections, ...this.#retired]
    const cut = (): void => {
      for (const connection of all) connection.cut('the program ends')
    }
    const timer = timeoutSeconds === undefined ? undefined : setTimeout(cut, timeoutSeconds * 1_000)
    await Promise.all(all.map((connection) => connection.close()))
    clearTimeout(timer)
  }

  #send<R>(connection: Connection, send: (connection: Connection) => Promise<R>): Promise<R> {
    const answer = send(connection)
    if (connection.isFull) this.#retire(connection)
    return answer
  }

  /** An idle connection. If there is none and no more may be opened, the one with the fewest statements in flight. */
  #choose(): Connection | undefined {
    let best: Connection | undefined
    for (const connection of this.#connections) {
      if (connection.isReserved) continue
      if (connection.inFlight === 0) return connection
      if (best === undefined || connection.inFlight < best.inFlight) best = connection
    }
    if (this.#connections.size + this.#opening < this.#options.max && this.#reopen === undefined) {
      void this.#open()
      return undefined
    }
    const mayWait = this.#opening > 0 || best === undefined || best.inFlight >= pipelineLimit
    return mayWait ? undefined : best
  }

  async #open(): Promise<void> {
    this.#opening++
    let opened: Connection | undefined
    try {
      const connection = await openConnection(this.#target, {
        ...this.#options,
        onAnswer: () => this.#serve(),
        onLost: () => this.#remove(opened),
      })
      opened = connection
      this.#failures = 0
      if (this.#ended) return connection.cut('the program ends')
      if (!connection.isLost) this.#connections.add(connection)
    } catch (error) {
      this.#reopenLater()
      // Those that wait may still get one of the others.
      if (this.#connections.size === 0) for (const { reject } of this.#queue.takeWaiting()) reject(error)
    } finally {
      this.#opening--
    }
    this.#serve()
  }

  #reopenLater(): void {
    if (this.#ended || this.#reopen !== undefined) return
    this.#failures++
    this.#reopen = setTimeout(
      () => {
        this.#reopen = undefined
        this.#serve()
      },
      backOffMs(reopenPolicy, this.#failures),
    )
  }

  /** Gives connections to those that wait, oldest first. */
  #serve(): void {
    while (this.#queue.waiting > 0) {
      const connection = this.#choose()
      if (connection === undefined) return
      this.#queue.startOldest()?.start(connection)
    }
  }

  #retire(connection: Connection): void {
    if (!this.#connections.delete(connection)) return
    this.#retired.add(connection)
    void connection.close()
  }

  #remove(connection: Connection | undefined): void {
    // It was lost before it was added.
    if (connection === undefined) return
    this.#connections.delete(connection)
    this.#retired.delete(connection)
    this.#serve()
  }
}
