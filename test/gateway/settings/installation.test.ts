/** The information that the server returns about itself, without its secrets. */
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { objectTypes, operations } from '../../../gateway/operations/operations.ts'
import { installationStatus } from '../../../gateway/operations/settings/describeInstallation.ts'
import { readSettings, settingNames } from '../../../settings.ts'
import { shownSettings } from '../../../spec/settings/shown.ts'
import { allSettings } from '../../../spec/settings/table.ts'
import { version } from '../../../spec/settings/version.ts'
import { openMemoryStorage } from '../../kit/runtime/memory/memory.ts'
import { startTestGateway } from '../../kit/runtime/testGateway.ts'

const now = 1_763_636_195_000

const parts = {
  settings: readSettings({ METRICS_PORT: '9464' }),
  listening: { port: 3000, agentPort: 3092 },
  embedded: true,
  owner: 'one',
  startedAt: now - 90_500,
  now,
}

test('the status has the version, the uptime, the listeners and the processes that use the database', async () => {
  const storage = openMemoryStorage()
  await storage.outbox.beat('one', now - 100)
  await storage.outbox.beat('two', now)
  const { settings: _, ...status } = await installationStatus({
    ...parts,
    database: () => storage.about(),
    healthy: () => storage.healthy(),
  })
  assert.deepEqual(status, {
    version: JSON.parse(readFileSync(new URL('../../../package.json', import.meta.url), 'utf8')).version,
    nodeVersion: process.versions.node,
    production: false,
    startedAt: new Date(now - 90_500).toISOString(),
    uptimeSeconds: 90,
    database: {
      embedded: true,
      reachable: true,
      acceptsWrites: true,
      version: 'memory',
      pendingMigrations: [],
      unknownMigrations: [],
      clockSkewMs: 0,
      historyStalledSeconds: 0,
      historyStalledBy: null,
    },
    listeners: [
      { name: 'MAIN', host: '127.0.0.1', port: 3000 },
      { name: 'AGENTS', host: '127.0.0.1', port: 3092 },
      { name: 'METRICS', host: '127.0.0.1', port: 9464 },
    ],
    processes: [
      { id: 'one', answers: true, lastSeenAt: new Date(now - 100).toISOString() },
      { id: 'two', answers: false, lastSeenAt: new Date(now).toISOString() },
    ],
    processCount: 2,
  })
})

test('the status is returned even if the database does not respond', async () => {
  const away = openMemoryStorage({ failures: { away: () => true } })
  for (const database of [() => away.about(), () => new Promise<never>(() => {})]) {
    const status = await installationStatus({ ...parts, database, healthy: () => away.healthy() })
    assert.deepEqual([status.database.reachable, status.database.version, status.processes], [false, null, []])
    assert.equal(status.database.acceptsWrites, false)
    assert.equal(status.version, version)
  }
})

test('a database that is reachable and accepts no writes is reported', async () => {
  const storage = openMemoryStorage()
  for (const healthy of [
    async () => false,
    () => Promise.reject(new Error('read-only')),
    () => new Promise<never>(() => {}),
  ]) {
    const { database } = await installationStatus({ ...parts, database: () => storage.about(), healthy })
    assert.deepEqual([database.reachable, database.acceptsWrites], [true, false])
  }
})

test('every setting is shown with its value or its default, and a secret only as set or not set', () => {
  const shown = new Map(readSettings({ PORT: '4000', LOG_LEVEL: ' warn ' }).shown.map((one) => [one.name, one]))
  assert.deepEqual([...shown.keys()].sort(), [...settingNames].sort())
  assert.deepEqual(shown.get('PORT'), { name: 'PORT', set: true, secret: false, value: '4000' })
  assert.deepEqual(shown.get('LOG_LEVEL')?.value, 'warn')
  assert.deepEqual(shown.get('HOST'), { name: 'HOST', set: false, secret: false, value: '127.0.0.1' })
  assert.deepEqual(shown.get('APP_SECRET'), { name: 'APP_SECRET', set: false, secret: true, value: 'not set' })
  assert.deepEqual(shown.get('PUBLIC_BASE_URL')?.value, null)
  assert.deepEqual(shown.get('LIMIT_GRAPHQL_DEPTH')?.value, '15')
})

test('no secret is shown, nor a password or token in the URL of another setting', () => {
  const marked: Record<string, string> = {}
  for (const [name, { secret }] of Object.entries(allSettings)) {
    if (secret) marked[name] = `marked-${randomBytes(8).toString('hex')}`
  }
  const inUrls = {
    AUTH_OAUTH_DISCOVERY_URL: 'https://user:marked-a@login.example.com/x?token=marked-b',
    AUTH_OAUTH_TOKEN_URL: 'https://marked-c@login.example.com/token#marked-d',
    AGENT_WS_URL: 'wss://agents.example.com',
  }
  const shown = shownSettings({ ...marked, ...inUrls }, false)
  assert.doesNotMatch(JSON.stringify(shown), /marked/)
  const values = new Map(shown.map(({ name, value }) => [name, value]))
  for (const name of Object.keys(marked)) assert.equal(values.get(name), 'set', name)
  assert.equal(values.get('AUTH_OAUTH_DISCOVERY_URL'), 'https://…@login.example.com/x?…')
  assert.equal(values.get('AGENT_WS_URL'), 'wss://agents.example.com')
})

test('a signed-in user can query the status in GraphQL', async (t) => {
  const world = await startTestGateway({ options: { operations, objectTypes } })
  t.after(() => world.stop())
  const { token } = await world.signIn()
  const text = '{ installationStatus { version uptimeSeconds database { reachable } settings { name } } }'
  const { body } = await world.graphql(text, {}, { Authorization: `Bearer ${token}` })
  const { installationStatus: status } = body.data as unknown as {
    installationStatus: { version: string; settings: [] }
  }
  assert.deepEqual([status.version, status.settings.length], [version, settingNames.length])
  assert.equal((await world.graphql(text)).status, 401)
})
