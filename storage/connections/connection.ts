/**
 * One connection to PostgreSQL. It is used until it is lost, and the driver never reconnects it: postgres.js 3.4.9 keeps the state
 * of a connection that was reset (its query, its error, what it had still to write) for the next one, so that queries are never
 * answered, or succeed without having been sent (porsager/postgres issues 1130, 1133, 1208, 1216).
 */
import type { Socket } from 'node:net'
import postgres from 'postgres'
import { ExpiringItems } from '../../actors/flow/expiringItems.ts'
import { ConnectionLost, endsSession, isServerError, ReadOnlyServer } from './errors.ts'
import { failingSocket, openSocket } from './socket.ts'
import { type Parameter, type Queries, type Rows, type StatementOptions, statementOf } from './statement.ts'
import { type Address, addressText, type ResolvedTarget } from './target.ts'

export interface ConnectionOptions {
  /** The purpose of this connection, as `pg_stat_activity` shows it. */
  readonly name: string
  /** Settings of the session, sent when it begins. */
  readonly settings?: Readonly<Record<string, string>>
  /** Milliseconds from sending a statement to its answer. After that the connection is cut. */
  readonly answerWithinMs: number
  /** The session only reads (`default_transaction_read_only`), so it may not be refused for that. */
  readonly readOnly?: boolean
  /** Bytes. Past this mark the driver waits for all answers before it sends more. */
  readonly writableHighWaterMark?: number
  /** Payloads of notifications on the channels that this session listens to. */
  readonly onNotify?: (payload: string) => void
  /** Called once, when the connection ends, for any reason. */
  readonly onLost?: () => void
  /** Called after each answer. */
  readonly onAnswer?: () => void
}

/** For the TCP connection, and as long again for the session to begin. */
const openWithinMs = 3_000

/** The `jit` of sessions. A statement over the partitions of all kinds takes 0.1 s, and PostgreSQL would compile it for 17 s. */
const jit = 'off'

/** Prepared statements of one session. The server needs up to 0.4 MB for a plan of the commit statement. */
export const preparedLimit = 100

/** The protocol counts parameters in 16 bits, and the driver refuses more than this. */
const parameterLimit = 65_533

const types = {
  // bigint: sequences and milliseconds, far below 2^53.
  int8: { to: 20, from: [20], parse: (text: string) => Number(text), serialize: (value: number) => String(value) },
}

/**
 * Connects to the first server of the target that accepts writes.
 * @throws ServerError, ReadOnlyServer, ConnectionLost or the system's error
 */
export async function openConnection(target: ResolvedTarget, options: ConnectionOptions): Promise<Connection> {
  const failures: [Address, unknown][] = []
  for (const address of target.addresses) {
    try {
      return await openAt(address, target, options)
    } catch (error) {
      failures.push([address, error])
    }
  }
  const [first] = failures
  if (failures.length === 1) throw first?.[1]
  const each = failures.map(([address, error]) => `${addressText(address)}: ${messageOf(error)}`)
  throw new ConnectionLost(`no server accepts writes (${each.join('; ')})`, { cause: first?.[1] })
}

async function openAt(address: Address, target: ResolvedTarget, options: ConnectionOptions): Promise<Connection> {
  const { writableHighWaterMark } = options
  const socket = await openSocket(address, {
    timeoutMs: openWithinMs,
    ...(writableHighWaterMark !== undefined && { writableHighWaterMark }),
  })
  const connection = new Connection(socket, address, target, options)
  const late = setTimeout(() => connection.cut(`no session within ${openWithinMs} ms`), openWithinMs)
  try {
    const [session] = await connection.unsafe<SessionFacts[]>(factsSql, [], { prepare: false, simple: false })
    if (session === undefined) throw new ConnectionLost('PostgreSQL does not show its own session')
    if (session.standby || (session.read_only && options.readOnly !== true)) {
      throw new ReadOnlyServer(`${addressText(address)} does not accept writes`)
    }
    connection.backend = { pid: session.pid, since: session.since }
    return connection
  } catch (error) {
    connection.cut('it could not be used')
    throw error
  } finally {
    clearTimeout(late)
  }
}

interface SessionFacts {
  readonly pid: number
  readonly since: string
  readonly standby: boolean
  readonly read_only: boolean
}

/** It uses the function behind `pg_stat_activity`, since every new session would plan the joins of that view. */
const factsSql = `
  select pg_backend_pid() as pid, pg_is_in_recovery() as standby, current_setting('transaction_read_only') = 'on' as read_only,
    (select backend_start::text from pg_stat_get_activity(pg_backend_pid())) as since`

/** A server process. A process ID alone may be another's by the time it is looked for. */
export interface Backend {
  readonly pid: number
  /** When it began, as PostgreSQL's text. */
  readonly since: string
}

interface Pending {
  readonly reject: (error: Error) => void
}

export class Connection {
  backend: Backend = { pid: 0, since: '' }
  readonly #socket: Socket
  readonly #driver: postgres.Sql
  readonly #options: ConnectionOptions
  readonly #prepared = new Set<string>()
  readonly #pending: ExpiringItems<Pending>
  #lost: ConnectionLost | undefined
  #inTransaction = false
  #idle: (() => void)[] = []

  /** @param socket connected, and used for this connection alone */
  constructor(socket: Socket, address: Address, target: ResolvedTarget, options: ConnectionOptions) {
    this.#socket = socket
    this.#options = options
    const { answerWithinMs } = options
    this.#pending = new ExpiringItems(answerWithinMs, () => this.cut(`no answer within ${answerWithinMs} ms`))
    let given = false
    let failure = new Error('the server closed it')
    const ended = (): void =>
      this.#lose(new ConnectionLost(`the connection to PostgreSQL ended: ${failure.message}`, { cause: failure }))
    socket.once('error', (error) => {
      failure = error
    })
    // The driver listens only some milliseconds later, and takes these listeners away if it begins TLS.
    socket.once('close', ended)
    const { connection: urlSettings, ...driverOptions } = target.driverOptions as { connection: Record<string, string> }
    const all = {
      ...driverOptions,
      ...('path' in address ? { path: address.path } : { host: [address.host], port: [address.port] }),
      // Without a value the driver would take one from the environment. `openAt` checks what this program needs.
      target_session_attrs: 'primary',
      max: 1,
      max_pipeline: 1_000,
      idle_timeout: 0,
      max_lifetime: null,
      connect_timeout: 0,
      backoff: false,
      fetch_types: false,
      onnotice: () => {},
      onnotify: (_channel: string, payload: string) => options.onNotify?.(payload),
      onclose: ended,
      types,
      connection: { ...urlSettings, jit, application_name: `signalbox ${options.name}`, ...options.settings },
      // The driver asks a second time when it would reconnect.
      socket: async () => {
        if (given) return failingSocket(failure)
        given = true
        return socket
      },
    }
    // The types of postgres.js have the custom types as a type parameter, and lack `socket`'s failure.
    this.#driver = postgres(all as unknown as postgres.Options<Record<string, never>>) as unknown as postgres.Sql
  }

  get isLost(): boolean {
    return this.#lost !== undefined
  }

  /** Statements whose answers are awaited. */
  get inFlight(): number {
    return this.#pending.size
  }

  /** Whether another statement would run inside another caller's transaction. */
  get isReserved(): boolean {
    return this.#inTransaction
  }

  /** It has prepared as many statements as it should, and is to be replaced. */
  get isFull(): boolean {
    return this.#prepared.size >= preparedLimit
  }

  /** @throws ServerError; ConnectionLost, which leaves open whether the statement took effect */
  unsafe<R extends readonly object[]>(
    text: string,
    values: readonly Parameter[] = [],
    { prepare = false, simple = values.length === 0 }: StatementOptions = {},
  ): Promise<Rows<R>> {
    const problem = unsendable(values)
    if (problem !== undefined) return Promise.reject(new TypeError(problem))
    if (prepare) this.#prepared.add(text)
    return this.#track(() =>
      this.#driver.unsafe(text, values as never[], { prepare, simple } as object),
    ) as unknown as Promise<Rows<R>>
  }

  /** Runs it in a transaction. All of it has to end within the time that one answer has. */
  async begin<R>(run: (tx: Queries) => Promise<R>): Promise<R> {
    this.#inTransaction = true
    try {
      return (await this.#track(() => this.#driver.begin((tx) => run(transactionSql(tx))), false)) as R
    } finally {
      this.#inTransaction = false
      this.#options.onAnswer?.()
    }
  }

  /** Ends the connection at once. Statements in flight fail with `ConnectionLost`. */
  cut(reason: string): void {
    this.#lose(new ConnectionLost(`the connection to PostgreSQL was cut: ${reason}`))
  }

  /** Waits for the answers to what was sent. */
  async close(): Promise<void> {
    if (this.#pending.size > 0) await new Promise<void>((resolve) => this.#idle.push(resolve))
    if (this.#lost !== undefined) return
    // The server receives the end, so that it does not log a lost connection.
    await this.#driver.end({ timeout: 1 })
    this.#lose(new ConnectionLost('the connection to PostgreSQL was closed'))
  }

  #track<R>(begin: () => PromiseLike<R>, checkRows = true): Promise<R> {
    if (this.#lost !== undefined) return Promise.reject(this.#lost)
    const { promise, resolve, reject } = Promise.withResolvers<R>()
    const pending: Pending = { reject }
    this.#pending.add(pending)
    begin().then(
      (result) => {
        if (!this.#pending.delete(pending)) return
        if (checkRows && !isWhole(result)) {
          this.cut('an answer was not whole')
          return reject(this.#lost)
        }
        resolve(result)
        this.#answered()
      },
      (error: unknown) => {
        if (!this.#pending.delete(pending)) return
        const isAnswer = isServerError(error) || isFromCaller(error)
        reject(
          isAnswer
            ? error
            : new ConnectionLost(`the connection to PostgreSQL broke: ${messageOf(error)}`, { cause: error }),
        )
        if (!isAnswer || endsSession(error)) this.cut(messageOf(error))
        this.#answered()
      },
    )
    return promise
  }

  #answered(): void {
    if (this.#pending.size === 0) for (const resolve of this.#idle.splice(0)) resolve()
    this.#options.onAnswer?.()
  }

  #lose(error: ConnectionLost): void {
    if (this.#lost !== undefined) return
    this.#lost = error
    this.#socket.destroy()
    for (const { reject } of this.#pending.takeAll()) reject(error)
    for (const resolve of this.#idle.splice(0)) resolve()
    void this.#driver.end({ timeout: 0 })
    this.#options.onLost?.()
  }
}

/** If the driver failed to encode a statement, it would take the next answers for those of other statements. */
function unsendable(values: readonly Parameter[]): string | undefined {
  if (values.length > parameterLimit)
    return `a statement has ${values.length} parameters: send at most ${parameterLimit}`
  const missing = values.indexOf(undefined as unknown as Parameter)
  return missing === -1 ? undefined : `the parameter $${missing + 1} has no value`
}

/**
 * Every statement ends with a command tag, which for a query counts its rows. A success without it did not come from the server.
 */
function isWhole(result: unknown): boolean {
  const { command, count, length } = result as { command?: string | null; count?: number | null; length: number }
  // A text of several statements has one result for each of them.
  if (command === undefined) return (result as readonly unknown[]).every(isWhole)
  return command !== null && (command !== 'SELECT' || count === length)
}

/** An error that the caller of a transaction threw. The connection is not affected. */
function isFromCaller(error: unknown): boolean {
  const { code, syscall } = (error ?? {}) as { code?: unknown; syscall?: unknown }
  return syscall === undefined && !(typeof code === 'string' && /^(CONNECTION_|CONNECT_|E[A-Z]+$)/.test(code))
}

function transactionSql(tx: postgres.TransactionSql): Queries {
  const unsafe = ((text: string, values: readonly Parameter[] = [], options: StatementOptions = {}) => {
    const { prepare = false, simple = values.length === 0 } = options
    return tx.unsafe(text, values as never[], { prepare, simple } as object)
  }) as unknown as Queries['unsafe']
  return statementOf(unsafe)
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
