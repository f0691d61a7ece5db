/** A PostgreSQL server of the embedded binaries that listens on TCP, like an external server: it does not end with the programs. */
import { execFileSync } from 'node:child_process'
import { chownSync, existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Binaries, copiedBinaries, installedBinaries } from '../../../../storage/embedded/binaries.ts'
import { findLaunchProblem, type Launcher, launch, launchers } from '../../../../storage/embedded/launcher.ts'
import { type Server, startServer } from '../../../../storage/embedded/server.ts'
import { freePort } from '../../../kit/program/ports.ts'
import { freeze, thaw } from './processTree.ts'
import { type Address, withSql } from './sql.ts'

const settings: Readonly<Record<string, string>> = {
  shared_buffers: '128MB',
  max_connections: '120',
  max_wal_size: '512MB',
  fsync: 'on',
  hot_standby: 'on',
  wal_level: 'replica',
  log_checkpoints: 'off',
}

export interface Ways {
  readonly binaries: Binaries
  readonly launcher: Launcher
}

/** The ways to start PostgreSQL on this machine. @param folder for a copy of the binaries */
export async function waysToStart(folder: string): Promise<Ways> {
  const installed = await installedBinaries()
  for (const binaries of [installed, undefined]) {
    const chosen = binaries ?? (await copiedBinaries(installed, folder))
    for (const launcher of launchers()) {
      if ((await findLaunchProblem(launcher, chosen.postgres, folder)) === undefined)
        return { binaries: chosen, launcher }
    }
  }
  throw new Error(
    `PostgreSQL cannot be started on this machine as a user that it accepts. Check which users can enter ${folder}.`,
  )
}

export class DatabaseServer {
  readonly address: Address
  readonly #folder: string
  readonly #ways: Ways
  #server: Server | undefined
  #stopped = false
  #frozen: readonly number[] = []

  private constructor(folder: string, ways: Ways, port: number) {
    this.#folder = folder
    this.#ways = ways
    this.address = { host: '127.0.0.1', port }
  }

  /** Creates a database folder and a database `signalbox`. With `standby`, also a copy that follows and is read-only. */
  static async start(folder: string, options: { standby?: boolean } = {}): Promise<Primary> {
    mkdirSync(folder, { recursive: true })
    const ways = await waysToStart(folder)
    const main = join(folder, 'main')
    await initialize(main, ways)
    writeFileSync(
      join(main, 'pg_hba.conf'),
      'host all all 127.0.0.1/32 trust\nhost replication all 127.0.0.1/32 trust\n',
    )
    const primary = new DatabaseServer(main, ways, await freePort())
    const copy = join(folder, 'standby')
    if (options.standby) {
      // Owner and mode are copied too: PostgreSQL refuses a folder that other users can read.
      execFileSync('cp', ['-a', main, copy])
      writeFileSync(join(copy, 'standby.signal'), '')
    }
    await primary.#run()
    await withSql(primary.address, (sql) => sql`create database signalbox`, 'postgres')
    if (!options.standby) return { primary, standby: undefined }
    const standby = new DatabaseServer(copy, ways, await freePort())
    const { host, port } = primary.address
    await standby.#run({ primary_conninfo: `host=${host} port=${port} user=signalbox` })
    await standby.#untilItHas('signalbox')
    return { primary, standby }
  }

  get pid(): number {
    return this.#server?.pid ?? -1
  }

  /** Suspends the server and all its processes. Connections stay open. */
  freeze(): void {
    this.#frozen = freeze(this.pid)
  }

  thaw(): void {
    thaw(this.#frozen)
    this.#frozen = []
  }

  async stop(): Promise<void> {
    this.#stopped = true
    this.thaw()
    await this.#server?.stop()
  }

  async #run(more: Readonly<Record<string, string>> = {}): Promise<void> {
    const { binaries, launcher } = this.#ways
    const all = { ...settings, ...more, listen_addresses: '127.0.0.1', port: String(this.address.port) }
    const args = ['-D', this.#folder, '-c', 'unix_socket_directories=', ...pairs(all)]
    const server = await startServer(binaries.postgres, args, launcher, () => {})
    this.#server = server
    void server.exited.then(async (how) => {
      if (this.#stopped || this.#server !== server) return
      // Restarts it, like a service manager.
      await sleep(100)
      await this.#run(more).catch((error: unknown) =>
        console.error(`PostgreSQL ended (${how}) and could not be restarted: ${String(error)}`),
      )
    })
    for (let tries = 0; ; tries++) {
      const answers = await withSql(this.address, (sql) => sql`select 1`, 'postgres').then(
        () => true,
        () => false,
      )
      if (answers || this.#server !== server) return
      if (tries > 600) throw new Error(`PostgreSQL does not answer: ${server.lines.join('\n')}`)
      await sleep(50)
    }
  }

  async #untilItHas(database: string): Promise<void> {
    for (let tries = 0; ; tries++) {
      const there = await withSql(this.address, (sql) => sql`select 1`, database).then(
        () => true,
        () => false,
      )
      if (there) return
      if (tries > 200) throw new Error(`The standby has no database ${database}: ${this.#server?.lines.join('\n')}`)
      await sleep(50)
    }
  }
}

export interface Primary {
  readonly primary: DatabaseServer
  readonly standby: DatabaseServer | undefined
}

async function initialize(folder: string, { binaries, launcher }: Ways): Promise<void> {
  if (existsSync(join(folder, 'PG_VERSION'))) return
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  giveTo(folder, launcher)
  const args = ['-D', folder, '-U', 'signalbox', '-E', 'UTF8', '--no-instructions', '--no-sync', '--auth=trust']
  args.push('--locale=C', '--locale-provider=builtin', '--builtin-locale=C.UTF-8')
  const child = launch(launcher, binaries.initdb, args, { cwd: '/', stdio: ['ignore', 'ignore', 'pipe'] })
  let said = ''
  child.stderr?.on('data', (data: Buffer) => (said += data.toString()))
  const code = await new Promise((resolve, reject) => {
    child.on('error', reject)
    child.on('close', resolve)
  })
  if (code !== 0) throw new Error(`initdb ended with ${String(code)}: ${said}`)
}

function giveTo(folder: string, { owner }: Launcher): void {
  if (owner !== process.geteuid?.()) chownSync(folder, owner, owner)
}

function pairs(all: Readonly<Record<string, string>>): string[] {
  return Object.entries(all).flatMap(([name, value]) => ['-c', `${name}=${value}`])
}
