/**
 * PostgreSQL for tests. Each test process starts one server of each kind on first use, and the server ends with the process.
 * Every test gets a database of its own, created from a migrated template.
 */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { migrate } from '../../../storage/database/migrate.ts'
import { startEmbedded } from '../../../storage/embedded/embedded.ts'
import { connect, type Sql } from '../../../storage/sql/sql.ts'
import { freePort } from '../../support/ports.ts'

/** `installed` is the system's PostgreSQL (15 on Debian), `embedded` the one from npm (18), and `given` the one of TEST_DATABASE_URL. */
export type ServerKind = 'installed' | 'embedded' | 'given'

export interface TestDatabase {
  readonly target: {
    readonly connection: { host: string; port: number; database: string; username: string; password?: string }
  }
  /** Drops it. Open connections are terminated. */
  drop(): Promise<void>
}

interface TestServer {
  readonly connection: { host: string; port: number; username: string; password?: string }
  stop(): Promise<void>
}

/** The kinds that are available on this machine. */
export function serverKinds(): readonly ServerKind[] {
  if (process.env.TEST_DATABASE_URL !== undefined) return ['given']
  return installedBinaries() === undefined ? ['embedded'] : ['installed', 'embedded']
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
    const template = options.empty ? 'template0' : await templateOf(kind, server, admin)
    await admin.unsafe(`create database ${database} template ${template}`)
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
  templates.clear()
  await Promise.all(all.map(async (server) => (await server).stop()))
}

const templates = new Map<ServerKind, Promise<string>>()

function templateOf(kind: ServerKind, server: TestServer, admin: Sql): Promise<string> {
  const made = templates.get(kind) ?? makeTemplate(server, admin)
  templates.set(kind, made)
  return made
}

async function makeTemplate(server: TestServer, admin: Sql): Promise<string> {
  const name = `template_${process.pid}`
  await admin.unsafe(`drop database if exists ${name}`)
  await admin.unsafe(`create database ${name} template template0`)
  const sql = connect({ connection: { ...server.connection, database: name } }, { name: 'test', max: 1 })
  await migrate(sql).finally(() => sql.end())
  return name
}

function running(kind: ServerKind): Promise<TestServer> {
  const server = servers.get(kind) ?? begin(kind)
  servers.set(kind, server)
  return server
}

async function begin(kind: ServerKind): Promise<TestServer> {
  const given = process.env.TEST_DATABASE_URL
  if (kind === 'given') {
    const url = new URL(given ?? '')
    const password = decodeURIComponent(url.password)
    return {
      connection: {
        host: url.hostname,
        port: Number(url.port || 5432),
        username: decodeURIComponent(url.username),
        ...(password === '' ? {} : { password }),
      },
      stop: async () => {},
    }
  }
  return kind === 'embedded' ? beginEmbedded() : beginInstalled()
}

async function beginEmbedded(): Promise<TestServer> {
  const dataDir = mkdtempSync(join(tmpdir(), 'sb-test-'))
  const embedded = await startEmbedded({ dataDir, log: () => {} })
  return {
    connection: {
      host: embedded.connection.host,
      port: embedded.connection.port,
      username: embedded.connection.username,
    },
    async stop() {
      await embedded.stop()
      rmSync(dataDir, { recursive: true, force: true })
    },
  }
}

/** The newest version that is installed on the system. */
function installedBinaries(): string | undefined {
  const root = '/usr/lib/postgresql'
  if (!existsSync(root)) return undefined
  const majors = readdirSync(root).sort((a, b) => Number(b) - Number(a))
  return majors.map((major) => join(root, major, 'bin')).find((bin) => existsSync(join(bin, 'initdb')))
}

/** PostgreSQL does not run as root. In that case the tests run it as `nobody`. */
const asNobody = process.getuid?.() === 0 ? { uid: 65534, gid: 65534 } : {}

async function beginInstalled(): Promise<TestServer> {
  const bin = installedBinaries()
  if (bin === undefined) throw new Error('No PostgreSQL is installed here.')
  const folder = mkdtempSync(join(tmpdir(), 'sb-test-'))
  if ('uid' in asNobody) spawnSync('chown', ['65534:65534', folder])
  const data = join(folder, 'data')
  const made = spawnSync(
    join(bin, 'initdb'),
    ['-D', data, '-U', 'signalbox', '-A', 'trust', '-E', 'UTF8', '--locale', 'C', '--no-sync'],
    { ...asNobody, cwd: '/', encoding: 'utf8' },
  )
  if (made.status !== 0) throw new Error(`initdb failed: ${made.stderr}`)
  const port = await freePort()
  const settings = ['shared_buffers=256MB', 'max_connections=100', 'log_min_messages=fatal', 'max_wal_size=2GB']
  const server = spawn(
    join(bin, 'postgres'),
    ['-D', data, '-k', folder, '-p', String(port), '-h', '127.0.0.1', ...settings.flatMap((one) => ['-c', one])],
    { ...asNobody, cwd: '/', stdio: 'ignore' },
  )
  const connection = { host: '127.0.0.1', port, username: 'signalbox' }
  // If a test process is interrupted, it stops its server.
  const end = (): void => void server.kill('SIGQUIT')
  process.once('exit', end)
  await untilReady(connection)
  return {
    connection,
    async stop() {
      process.off('exit', end)
      await stopped(server)
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

function stopped(server: ChildProcess): Promise<void> {
  return new Promise((resolve) => {
    if (server.exitCode !== null) return resolve()
    server.once('exit', () => resolve())
    server.kill('SIGINT')
  })
}

async function untilReady(connection: { host: string; port: number; username: string }): Promise<void> {
  for (let tries = 0; ; tries++) {
    const sql = connect({ connection: { ...connection, database: 'postgres' } }, { name: 'test', max: 1 })
    try {
      await sql`select 1`
      return
    } catch (error) {
      if (tries > 200) throw error
      await sleep(50)
    } finally {
      await sql.end({ timeout: 1 })
    }
  }
}
