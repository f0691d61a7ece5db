/** Two servers on one database, with one `APP_SECRET`. */
import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { stopServers, testDatabase } from '../../support/postgres.ts'
import { freePorts, type Program, startProgram } from '../../support/program.ts'

export interface TwoServers {
  readonly here: Program
  readonly there: Program
  end(): Promise<void>
}

export async function twoServers(env: Readonly<Record<string, string>> = {}): Promise<TwoServers> {
  const database = await testDatabase(undefined, { empty: true })
  const folder = await mkdtemp(join(tmpdir(), 'signalbox-two-'))
  const { host, port, username, password, database: name } = database.target.connection
  const own = {
    DATABASE_URL: `postgres://${username}${password ? `:${encodeURIComponent(password)}` : ''}@${host}:${port}/${name}`,
    APP_SECRET: randomBytes(32).toString('base64'),
    ...env,
  }
  const start = async (name: string) =>
    startProgram({ dataDir: join(folder, name), ports: await freePorts(), env: own })
  const here = await start('here')
  const there = await start('there')
  return {
    here,
    there,
    async end() {
      await Promise.all([here.stop(), there.stop()])
      await database.drop()
      await stopServers()
      await rm(folder, { recursive: true, force: true })
    },
  }
}
