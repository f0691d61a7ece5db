/** Servers that share one database and one `APP_SECRET`. */
import { randomBytes } from 'node:crypto'
import { mkdir, mkdtemp, rm, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { stopServers, type TestDatabase, testDatabase } from '../runtime/postgres/postgres.ts'
import { freePorts, type Ports } from './ports.ts'
import { type Program, startProgram } from './program.ts'

export interface Shared {
  /** The environment of each. */
  readonly env: Readonly<Record<string, string>>
  readonly target: TestDatabase['target']
  /** The folder of the data folders of all, which have their names. */
  readonly folder: string
  /**
   * One of that name, on ports of its own; one that was killed comes back on the same ones.
   * @param at where it finds the database, if not where the database is
   */
  start(name: string, at?: TestDatabase['target']): Promise<Program>
  /** Stops all that run. */
  end(): Promise<void>
}

export async function sharedDatabase(more: Readonly<Record<string, string>> = {}): Promise<Shared> {
  const database = await testDatabase(undefined, { empty: true })
  const folder = await mkdtemp(join(tmpdir(), 'signalbox-shared-'))
  const env = {
    DATABASE_URL: urlOf(database.target),
    APP_SECRET: randomBytes(32).toString('base64'),
    ...more,
  }
  const known = new Map<string, { readonly ports: Ports; program?: Program }>()
  return {
    env,
    target: database.target,
    folder,
    async start(name, at = database.target) {
      const one = known.get(name) ?? { ports: await freePorts() }
      known.set(name, one)
      one.program = await startProgram({
        dataDir: join(folder, name),
        ports: one.ports,
        env: { ...env, DATABASE_URL: urlOf(at) },
      })
      return one.program
    },
    async end() {
      await Promise.all([...known.values()].map(({ program }) => program?.stop()))
      await database.drop()
      await stopServers()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

/** Call it before the first start of these servers. As `docs/operations.md` has it: `blobs` in each data folder is a link to one folder. */
export async function shareBlobFolder(folder: string, names: readonly string[]): Promise<void> {
  const target = join(folder, 'sharedBlobs')
  await mkdir(target)
  for (const name of names) {
    await mkdir(join(folder, name), { recursive: true })
    await symlink(target, join(folder, name, 'blobs'))
  }
}

function urlOf({ connection }: TestDatabase['target']): string {
  const { host, port, username, password, database } = connection
  return `postgres://${username}${password ? `:${encodeURIComponent(password)}` : ''}@${host}:${port}/${database}`
}

export interface TwoServers extends Shared {
  readonly here: Program
  readonly there: Program
}

export async function twoServers(env: Readonly<Record<string, string>> = {}): Promise<TwoServers> {
  const shared = await sharedDatabase(env)
  try {
    const here = await shared.start('here')
    return { ...shared, here, there: await shared.start('there') }
  } catch (error) {
    await shared.end()
    throw error
  }
}
