/** The environment of a slice: the processes of the control plane, their database, and the proxies in between. */
import { createHash } from 'node:crypto'
import { mkdirSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { freePorts } from '../../../kit/program/ports.ts'
import { freshDatabase } from '../../../kit/runtime/postgres/preparedFolder.ts'
import { freeze, thaw } from '../database/processTree.ts'
import { DatabaseProxy } from '../database/proxy.ts'
import { DatabaseServer } from '../database/server.ts'
import { SmallDisk } from '../database/smallDisk.ts'
import type { Address } from '../database/sql.ts'
import { Instance } from './instance.ts'

/** `embedded`: one process with the database that it starts itself. `external`: two processes on one PostgreSQL. */
export type Topology = 'embedded' | 'external'

export interface WorldOptions {
  readonly topology: Topology
  readonly folder: string
  /** The data folder of the database can be made full. */
  readonly disk?: boolean
  /** A hot standby follows the database (external only). */
  readonly standby?: boolean
  /** Options of Node and variables for the processes, such as those that plant a fault. */
  readonly nodeOptions?: readonly string[]
  readonly env?: Readonly<Record<string, string>>
}

export interface World {
  readonly topology: Topology
  readonly instances: readonly Instance[]
  /** One proxy before each process. An embedded database has none. */
  readonly proxies: readonly DatabaseProxy[]
  readonly standby: DatabaseServer | undefined
  readonly primary: DatabaseServer | undefined
  readonly disk: SmallDisk | undefined
  /** The address of the database itself, without a proxy. */
  direct(): Promise<Address>
  /** The address of the database that this process uses. */
  through(instance: number): Promise<Address>
  freezeDatabase(): Promise<void>
  thawDatabase(): void
  close(): Promise<void>
}

/** All processes must have the same one. */
const appSecret = createHash('sha256').update('chaos').digest('base64')

/** One user makes the whole load, which is far above the limits for one user. */
const limits = {
  LIMIT_GRAPHQL_POINTS_PER_5_MINUTES: '1000000000',
  LIMIT_TELEMETRY_REQUESTS_PER_MINUTE: '10000000',
  LIMIT_TELEMETRY_BYTES_PER_DAY: '1000000000000',
  LIMIT_TOOL_CALLS_PER_MINUTE: '10000000',
  LIMIT_TOOL_CALLS_AT_ONCE: '1000',
  LIMIT_AGENT_REPORTS_PER_MINUTE: '10000000',
}

export async function openWorld(options: WorldOptions): Promise<World> {
  const closers: (() => Promise<void> | void)[] = []
  const close = async (): Promise<void> => {
    for (const closer of closers.splice(0)) await closer()
  }
  try {
    return await open(options, closers, close)
  } catch (error) {
    await close()
    throw error
  }
}

async function open(
  options: WorldOptions,
  closers: (() => Promise<void> | void)[],
  close: () => Promise<void>,
): Promise<World> {
  const { topology, folder } = options
  const disk = options.disk ? new SmallDisk(join(folder, 'disk')) : undefined
  if (disk !== undefined) closers.unshift(() => disk.unmount())
  const data = disk?.folder ?? folder
  const instance = async (name: string, env: Readonly<Record<string, string>>): Promise<Instance> => {
    const dataDir = join(env.DATABASE_URL === undefined ? data : folder, name)
    mkdirSync(dataDir, { recursive: true })
    if (env.DATABASE_URL === undefined) await freshDatabase(dataDir)
    const made = new Instance({
      dataDir,
      ports: await freePorts(),
      env: { ...limits, APP_SECRET: appSecret, ...env, ...options.env },
      clockFile: join(folder, `${name}.clock`),
      nodeOptions: options.nodeOptions ?? [],
    })
    closers.unshift(() => made.stop())
    await made.start()
    return made
  }
  if (topology === 'embedded') {
    const only = await instance('one', {})
    const address = () => embeddedAddress(join(data, 'one'))
    let frozen: readonly number[] = []
    const thawDatabase = (): void => thaw(frozen)
    closers.unshift(thawDatabase)
    return {
      topology,
      instances: [only],
      proxies: [],
      primary: undefined,
      standby: undefined,
      disk,
      direct: address,
      through: address,
      async freezeDatabase() {
        frozen = freeze((await embeddedAddress(join(data, 'one'))).pid)
      },
      thawDatabase,
      close,
    }
  }
  const { primary, standby } = await DatabaseServer.start(join(data, 'postgres'), { standby: options.standby === true })
  closers.unshift(async () => {
    await standby?.stop()
    await primary.stop()
  })
  const proxies = [await DatabaseProxy.start(primary.address), await DatabaseProxy.start(primary.address)]
  closers.unshift(async () => void (await Promise.all(proxies.map((proxy) => proxy.close()))))
  const instances: Instance[] = []
  for (const [index, proxy] of proxies.entries()) {
    const { host, port } = proxy.address
    const DATABASE_URL = `postgres://signalbox@${host}:${port}/signalbox`
    instances.push(await instance(index === 0 ? 'one' : 'two', { DATABASE_URL }))
  }
  return {
    topology,
    instances,
    proxies,
    primary,
    standby,
    disk,
    direct: async () => primary.address,
    through: async (index) => proxies[index]?.address ?? primary.address,
    freezeDatabase: async () => primary.freeze(),
    thawDatabase: () => primary.thaw(),
    close,
  }
}

/** Read from PostgreSQL's own lock file. */
async function embeddedAddress(dataDir: string): Promise<Address & { readonly pid: number }> {
  const lines = (await readFile(join(dataDir, 'postgres', 'postmaster.pid'), 'utf8')).split('\n')
  const [pid = '', , , port = '', host = ''] = lines
  return { host, port: Number(port), pid: Number(pid) }
}
