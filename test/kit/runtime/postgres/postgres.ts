/**
 * PostgreSQL for tests. Each test process starts one server of each kind on first use, and the server ends with the process.
 * Every test gets a database of its own, created from a migrated template. The data folder with that template is created once
 * for all processes of a run: initdb and the migrations take seconds, and a copy takes some milliseconds.
 */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, globSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { migrate } from '../../../../storage/database/migrate.ts'
import { startEmbedded } from '../../../../storage/embedded/embedded.ts'
import { connect, type Sql } from '../../../../storage/sql/sql.ts'
import { freePort } from '../../program/ports.ts'

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
  /** The name of a migrated database without connections. */
  template(admin: Sql): Promise<string>
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
    const template = options.empty ? 'template0' : await server.template(admin)
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
  await Promise.all(all.map(async (server) => (await server).stop()))
}

function running(kind: ServerKind): Promise<TestServer> {
  const server = servers.get(kind) ?? begin(kind)
  servers.set(kind, server)
  return server
}

async function begin(kind: ServerKind): Promise<TestServer> {
  if (kind === 'given') return givenServer(new URL(process.env.TEST_DATABASE_URL ?? ''))
  const prepared = await preparedFolder(kind)
  const folder = newFolder(kind)
  const copied = spawnSync('cp', ['-a', prepared, join(folder, dataFolder[kind])], { encoding: 'utf8' })
  if (copied.status !== 0) throw new Error(`the prepared data folder is not copied: ${copied.stderr}`)
  return await start(kind, folder)
}

function givenServer(url: URL): TestServer {
  const password = decodeURIComponent(url.password)
  const connection = {
    host: url.hostname,
    port: Number(url.port || 5432),
    username: decodeURIComponent(url.username),
    ...(password === '' ? {} : { password }),
  }
  let template: Promise<string> | undefined
  return {
    connection,
    template(admin) {
      template ??= makeTemplate(connection, admin, `template_${process.pid}`)
      return template
    },
    stop: async () => {},
  }
}

const templateName = 'template_migrated'

async function makeTemplate(connection: TestServer['connection'], admin: Sql, name: string): Promise<string> {
  await admin.unsafe(`drop database if exists ${name}`)
  await admin.unsafe(`create database ${name} template template0`)
  const sql = connect({ connection: { ...connection, database: name } }, { name: 'test', max: 1 })
  await migrate(sql).finally(() => sql.end())
  return name
}

type OwnKind = Exclude<ServerKind, 'given'>

/** The folder of the database in that of the server. */
const dataFolder: Readonly<Record<OwnKind, string>> = { installed: 'data', embedded: 'postgres' }

/** The data folder that every server of this kind begins with. Its name has a hash of the migrations. */
async function preparedFolder(kind: OwnKind): Promise<string> {
  const migrations = resolve(import.meta.dirname, '../../../../storage/migrations')
  const hash = createHash('sha256')
  for (const name of globSync('*.sql', { cwd: migrations }).sort())
    hash.update(name).update(readFileSync(join(migrations, name)))
  const prepared = join(tmpdir(), `sb-prepared-${kind}-${process.getuid?.() ?? 0}-${hash.digest('hex').slice(0, 16)}`)
  if (!existsSync(prepared)) await prepare(kind, prepared)
  return prepared
}

/** Creates it completely or not at all, since several test files may do so at the same time. */
async function prepare(kind: OwnKind, prepared: string): Promise<void> {
  const folder = newFolder(kind)
  const server = await start(kind, folder)
  const admin = connect({ connection: { ...server.connection, database: 'postgres' } }, { name: 'test', max: 1 })
  await makeTemplate(server.connection, admin, templateName)
    .finally(() => admin.end())
    .finally(() => server.stopOnly())
  try {
    renameSync(join(folder, dataFolder[kind]), prepared)
  } catch (error) {
    // Another process was faster.
    if (!existsSync(prepared)) throw error
  }
  rmSync(folder, { recursive: true, force: true })
}

interface OwnServer extends TestServer {
  /** Leaves the folder. */
  stopOnly(): Promise<void>
}

async function start(kind: OwnKind, folder: string): Promise<OwnServer> {
  const { connection, stop } = await (kind === 'embedded' ? startFromNpm(folder) : startInstalled(folder))
  return {
    connection,
    template: async () => templateName,
    stopOnly: stop,
    async stop() {
      await stop()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

type StartedServer = Pick<TestServer, 'connection' | 'stop'>

async function startFromNpm(dataDir: string): Promise<StartedServer> {
  const { connection, stop } = await startEmbedded({ dataDir, log: () => {} })
  const { host, port, username } = connection
  return { connection: { host, port, username }, stop }
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

function newFolder(kind: OwnKind): string {
  const folder = mkdtempSync(join(tmpdir(), 'sb-test-'))
  if (kind === 'installed' && 'uid' in asNobody) spawnSync('chown', ['65534:65534', folder])
  return folder
}

/** Creates the database if the folder has none. */
async function startInstalled(folder: string): Promise<StartedServer> {
  const bin = installedBinaries()
  if (bin === undefined) throw new Error('No PostgreSQL is installed here.')
  const data = join(folder, dataFolder.installed)
  if (!existsSync(data)) initialize(bin, data)
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
    },
  }
}

function initialize(bin: string, data: string): void {
  const made = spawnSync(
    join(bin, 'initdb'),
    ['-D', data, '-U', 'signalbox', '-A', 'trust', '-E', 'UTF8', '--locale', 'C', '--no-sync'],
    { ...asNobody, cwd: '/', encoding: 'utf8' },
  )
  if (made.status !== 0) throw new Error(`initdb failed: ${made.stderr}`)
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
