/** A database client of the harness. The harness must not depend on the connection handling that it tests. */
import postgres from 'postgres'

export interface Address {
  /** A host name, or the folder of a unix socket. */
  readonly host: string
  readonly port: number
}

// biome-ignore lint/complexity/noBannedTypes: postgres.js names "no custom types" so
export type Sql = postgres.Sql<{}>

const types = {
  int8: { to: 20, from: [20], parse: (text: string) => Number(text), serialize: (value: number) => String(value) },
}

/** One connection. `end` must be called. */
export function openSql({ host, port }: Address, database = 'signalbox'): Sql {
  const sql = postgres({
    host,
    port,
    database,
    username: 'signalbox',
    max: 1,
    fetch_types: false,
    onnotice: () => {},
    connect_timeout: 5,
    backoff: () => 0.05,
    types,
  })
  return sql as unknown as Sql
}

export async function withSql<T>(address: Address, use: (sql: Sql) => Promise<T>, database?: string): Promise<T> {
  const sql = openSql(address, database)
  try {
    return await use(sql)
  } finally {
    await sql.end({ timeout: 1 })
  }
}
