/**
 * PostgreSQL for tests. Each test process starts one server of each kind on first use, and the server ends with the process.
 * Every test gets a database of its own, created from a migrated template.
 */
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { connect, type Sql } from '../../../../storage/sql/sql.ts'
import { createMigrated } from './prepare.ts'
import { copyPreparedFolder, preparedDatabase } from './preparedFolder.ts'
import { dataFolder, installedPrograms, newServerFolder, type OwnKind, type Server, startServer } from './servers.ts'

/** `given` is the server of TEST_DATABASE_URL. */
export type ServerKind = OwnKind | 'given'

export interface TestDatabase {
  readonly target: {
    readonly connection: { host: string; port: number; database: string; username: string; password?: string }
  }
  /** Drops it. Open connections are terminated. */
  drop(): Promise<void>
}

interface TestServer extends Server {
  /** The name of a migrated database without connections. */
  template(admin: Sql): Promise<string>
}

/** The kinds that are available on this machine. */
export function serverKinds(): readonly ServerKind[] {
  if (process.env.TEST_DATABASE_URL !== undefined) return ['given']
  return installedPrograms() === undefined ? ['embedded'] : ['installed', 'embedded']
}

const servers = new Map<ServerKind, Promise<TestServer>>()
let count = 0

/** Creates a database for one test. `empty` skips the migrations. */
export async function testDatabase(
  kind: ServerKind = serverKinds()[0] ?? 'embedded',
  options: { readonly empty?: boolean } = {},
): Promise<TestDatabase> {
  const server = await running(kind)
  const database = `test_${process.pid}_${++count}`
  const admin = connect({ connection: { ...server.connection, database: 'postgres' } }, { name: 'test', max: 1 })
  try {
    const template = options.empty ? 'template0' : await server.template(admin)
    // Without the strategy, each block of the template goes through the log: 250 ms instead of 45 with PostgreSQL 18.
    await admin.unsafe(`create database ${database} template ${template} strategy file_copy`)
  } finally {
    await admin.end()
  }
  return {
    target: { connection: { ...server.connection, database } },
    async drop() {
      const again = connect({ connection: { ...server.connection, database: 'postgres' } }, { name: 'test', max: 1 })
      await again.unsafe(`drop database if exists ${database} with (force)`).finally(() => again.end())
    },
  }
}

/** Stops the servers of this process. Call it in an `after` of each test file. */
export async function stopServers(): Promise<void> {
  const all = [...servers.values()]
  servers.clear()
  await Promise.all(all.map(async (server) => (await server).stop()))
}

function running(kind: ServerKind): Promise<TestServer> {
  const server = servers.get(kind) ?? (kind === 'given' ? givenServer() : ownServer(kind))
  servers.set(kind, server)
  return server
}

async function ownServer(kind: OwnKind): Promise<TestServer> {
  const folder = newServerFolder(kind)
  await copyPreparedFolder(kind, join(folder, dataFolder[kind]))
  const { connection, stop } = await startServer(kind, folder)
  return {
    connection,
    template: async () => preparedDatabase,
    async stop() {
      await stop()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

async function givenServer(): Promise<TestServer> {
  const { hostname, port, username, password } = new URL(process.env.TEST_DATABASE_URL ?? '')
  const connection = {
    host: hostname,
    port: Number(port || 5432),
    username: decodeURIComponent(username),
    ...(password === '' ? {} : { password: decodeURIComponent(password) }),
  }
  const name = `template_${process.pid}`
  let template: Promise<string> | undefined
  return {
    connection,
    template(admin) {
      template ??= createMigrated(connection, admin, name).then(() => name)
      return template
    },
    stop: async () => {},
  }
}
