import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import postgres from 'postgres'
import { StartError } from '../database/startError.ts'
import type { Server } from './server.ts'

/** The options that postgres.js (`postgres({ … })`) needs to connect. It takes a `host` with a slash for the folder of a socket. */
export interface ConnectionTarget {
  readonly host: string
  readonly port: number
  readonly database: string
  readonly username: string
}

/**
 * Waits until the server accepts connections, and creates the database if it is missing. Returns the server's version, such as
 * `18.4`, or undefined if the server ended first. A long recovery is logged and never interrupted, because an interruption would
 * only make the next one longer.
 * Throws `StartError` if the server runs but `folder`'s database is unusable.
 */
export async function untilReady(
  server: Server,
  connection: ConnectionTarget,
  folder: string,
  log: (line: string) => void,
): Promise<string | undefined> {
  let ended = false
  void server.exited.then(() => {
    ended = true
  })
  for (let loggedAt = Date.now(); !(await accepts(server, folder)); ) {
    if (ended) return undefined
    if (Date.now() - loggedAt > 10_000) {
      loggedAt = Date.now()
      log('still waiting for PostgreSQL to recover')
    }
    await Promise.race([sleep(10), server.exited])
  }
  try {
    await makeDatabase(connection)
    return await serverVersion(connection)
  } catch (cause) {
    if (ended) return undefined
    throw new StartError(
      `PostgreSQL runs on ${folder} and its database can't be opened (${(cause as Error).message}): restore it from a backup, or move it away to begin empty.`,
      { cause },
    )
  }
}

/** PostgreSQL's own signal, which pg_ctl uses too: the eighth line of its lock file. The first line is its process ID. */
async function accepts(server: Server, folder: string): Promise<boolean> {
  const lines = (await readFile(join(folder, 'postmaster.pid'), 'utf8').catch(() => '')).split('\n')
  return lines[0] === String(server.pid) && lines[7]?.trim() === 'ready'
}

function makeDatabase(connection: ConnectionTarget): Promise<void> {
  return withConnection({ ...connection, database: 'postgres' }, async (sql) => {
    const found = await sql`select from pg_database where datname = ${connection.database}`
    if (found.count === 0) await sql`create database ${sql(connection.database)}`
  })
}

function serverVersion(connection: ConnectionTarget): Promise<string> {
  return withConnection(connection, async (sql) => {
    const [row] = await sql<{ version: string }[]>`select current_setting('server_version') as version`
    return row?.version ?? ''
  })
}

async function withConnection<T>(connection: ConnectionTarget, use: (sql: postgres.Sql) => Promise<T>): Promise<T> {
  const sql = postgres({
    ...connection,
    max: 1,
    ssl: false,
    fetch_types: false,
    connect_timeout: 10,
    onnotice: () => {},
  })
  try {
    return await use(sql)
  } finally {
    await sql.end({ timeout: 1 })
  }
}
