/** The whole program in a process of its own, on a real PostgreSQL whose connection can be cut, with its rates and quotas raised. */
import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { limitSetting } from '../../../spec/settings/table.ts'
import { startMeasured } from '../../kit/program/measuring/measuredProgram.ts'
import { client, testProvider } from '../../kit/program/servers/identityProvider.ts'
import { CuttingProxy } from '../../kit/runtime/postgres/cuttingProxy.ts'
import { stopServers, testDatabase } from '../../kit/runtime/postgres/postgres.ts'
import { raisedLimits } from './raised.ts'
import type { Victim } from './run.ts'

export async function startFuzzed(line: (text: string) => void): Promise<Victim> {
  const dataDir = await mkdtemp(join(tmpdir(), 'signalbox-fuzz-'))
  const database = await testDatabase()
  const proxy = await CuttingProxy.start(database.target)
  const { host, port, username, database: name, password: own } = proxy.target.connection
  // PostgreSQL trusts all local users, so any password works if the server requires none.
  const password = own ?? randomBytes(16).toString('hex')
  const appSecret = randomBytes(32).toString('hex')
  const provider = await testProvider()
  const env = {
    ...Object.fromEntries(raisedLimits.map((limit) => [limitSetting(limit), '1000000000'])),
    DATABASE_URL: `postgres://${username}:${encodeURIComponent(password)}@${host}:${port}/${name}`,
    APP_SECRET: appSecret,
    LOG_LEVEL: 'debug',
    AUTH_MODE: 'both',
    AUTH_OAUTH_PROVIDER_ID: 'corp',
    AUTH_OAUTH_PROVIDER_NAME: 'Corp',
    AUTH_OAUTH_CLIENT_ID: client.id,
    AUTH_OAUTH_CLIENT_SECRET: client.secret,
    AUTH_OAUTH_SCOPES: 'openid email profile',
    AUTH_OAUTH_DISCOVERY_URL: `${provider.issuer}/.well-known/openid-configuration`,
  }
  const program = await startMeasured({ dataDir, ports: { main: 0, agent: 0 }, env, line })
  provider.person = { sub: 'fuzzed', email: 'fuzzed@example.com', emailVerified: true, name: 'Fuzzed' }
  await provider.up(`http://127.0.0.1:${program.port}/api/auth/oauth2/callback/corp`)
  return {
    port: program.port,
    agentPort: program.agentPort,
    secrets: [password, appSecret, Buffer.from(appSecret, 'hex').toString('base64'), client.secret],
    exitCode: program.exitCode,
    heldBytes: async () => (await program.collected()).heldBytes,
    hasProvider: true,
    setDatabaseAway: (away) => {
      proxy.away = away
    },
    async stop() {
      await program.stop()
      await provider.down()
      await proxy.close()
      await database.drop()
      await stopServers()
      await rm(dataDir, { recursive: true, force: true })
      return program.exitCode() ?? null
    },
  }
}
