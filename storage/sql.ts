/** The one way to a PostgreSQL connection. Nothing outside storage/ imports `postgres`. */
import { createHash } from 'node:crypto'
import postgres from 'postgres'

/** Where the database is: a URL, or what `startEmbedded` gives (`host` is then the folder of the unix socket). */
export type Target =
  | { readonly url: string }
  | {
      readonly connection: {
        readonly host: string
        readonly port: number
        readonly database: string
        readonly username: string
        readonly password?: string
      }
    }

// biome-ignore lint/complexity/noBannedTypes: postgres.js names "no custom types" so
export type Sql = postgres.Sql<{}>

export interface ConnectOptions {
  /** What this connection is for, as `pg_stat_activity` shows it. */
  readonly name: string
  readonly max: number
  /** Settings of the session, sent when it begins. */
  readonly settings?: Readonly<Record<string, string>>
  readonly extra?: postgres.Options<Record<string, never>>
}

const whole = {
  // bigint: sequences and milliseconds, far below 2^53.
  int8: { to: 20, from: [20], parse: (text: string) => Number(text), serialize: (value: number) => String(value) },
}

/** Seconds. */
const slowestReconnect = 0.5

/**
 * Seconds after which a connection that was lost is made again. postgres.js's own way grows to 20 s within seven failures, which a
 * busy program has in two seconds, and a query that is given such a connection waits as long, though the database is back.
 */
function reconnectAfter(failures: number): number {
  return (0.5 + Math.random() / 2) * Math.min(2 ** failures / 100, slowestReconnect)
}

/**
 * Connections that live as long as the process: no idle end, no lifetime. Arrays are given as PostgreSQL writes them
 * (`textArray`), which saves each session the query for the array types.
 */
export function connect(target: Target, options: ConnectOptions): Sql {
  const all = {
    max: options.max,
    idle_timeout: 0,
    max_lifetime: null,
    connect_timeout: 10,
    backoff: reconnectAfter,
    fetch_types: false,
    onnotice: () => {},
    types: whole,
    connection: { application_name: `signalbox ${options.name}`, ...options.settings },
    ...options.extra,
  }
  // The types of postgres.js have the custom types as a type parameter; nothing here uses their helpers.
  const untyped = all as unknown as postgres.Options<Record<string, never>>
  const sql = 'url' in target ? postgres(target.url, untyped) : postgres({ ...target.connection, ...untyped })
  return sql as unknown as Sql
}

/** An array as PostgreSQL reads it, for a parameter cast `::text[]`. */
export function textArray(values: readonly string[]): string {
  return values.length === 0 ? '{}' : `{"${values.map((value) => value.replace(/["\\]/g, '\\$&')).join('","')}"}`
}

/** As `textArray`, for `::integer[]` and `::bigint[]`; `undefined` becomes null. */
export function numberArray(values: readonly (number | undefined)[]): string {
  let list = ''
  for (const value of values) list += `${list === '' ? '{' : ','}${value ?? 'null'}`
  return list === '' ? '{}' : `${list}}`
}

export function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}
