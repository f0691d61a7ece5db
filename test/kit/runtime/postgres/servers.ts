/** Starts PostgreSQL servers for tests: the system's, and the one from npm. */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { startEmbedded } from '../../../../storage/embedded/embedded.ts'
import { connect } from '../../../../storage/sql/sql.ts'
import { freePort } from '../../program/ports.ts'

/** `installed` is the system's PostgreSQL (15 on Debian), `embedded` the one from npm (18). */
export type OwnKind = 'installed' | 'embedded'

export interface Server {
  readonly connection: { host: string; port: number; username: string; password?: string }
  stop(): Promise<void>
}

/** The folder of the database in that of the server. */
export const dataFolder: Readonly<Record<OwnKind, string>> = { installed: 'data', embedded: 'postgres' }

/** PostgreSQL does not run as root. In that case the tests run it as `nobody`. */
const asNobody = process.getuid?.() === 0 ? { uid: 65534, gid: 65534 } : {}

/** An empty folder for a server. */
export function newServerFolder(kind: OwnKind): string {
  const folder = mkdtempSync(join(tmpdir(), 'sb-test-'))
  if (kind === 'installed' && 'uid' in asNobody) spawnSync('chown', ['65534:65534', folder])
  return folder
}

/** Starts a server on the database of the folder, which it creates if there is none. */
export async function startServer(kind: OwnKind, folder: string): Promise<Server> {
  if (kind === 'installed') return await startInstalled(folder)
  const { connection, stop } = await startEmbedded({ dataDir: folder, log: () => {} })
  const { host, port, username } = connection
  return { connection: { host, port, username }, stop }
}

/** The folder of the programs of the newest version that is installed on the system. */
export function installedPrograms(): string | undefined {
  const root = '/usr/lib/postgresql'
  if (!existsSync(root)) return undefined
  const majors = readdirSync(root).sort((a, b) => Number(b) - Number(a))
  return majors.map((major) => join(root, major, 'bin')).find((bin) => existsSync(join(bin, 'initdb')))
}

async function startInstalled(folder: string): Promise<Server> {
  const bin = installedPrograms()
  if (bin === undefined) throw new Error('No PostgreSQL is installed here.')
  const data = join(folder, dataFolder.installed)
  if (!existsSync(data)) initialize(bin, data)
  // A lock file that was copied with the data folder is stale.
  rmSync(join(data, 'postmaster.pid'), { force: true })
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
