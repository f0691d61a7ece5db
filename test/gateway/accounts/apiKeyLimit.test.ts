/** The number of API keys that a user can have. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { accountsOf, bearer } from '../../kit/program/gatewayAccounts.ts'
import { startTestGateway, type TestGateway } from '../../kit/runtime/testGateway.ts'

let world: TestGateway
before(async () => {
  world = await startTestGateway({ settings: { limits: { apiKeysPerUser: 3 } } })
})
after(() => world.stop())

const { call } = accountsOf(() => world)

const createKey = (token: string, more: Record<string, string> = {}) =>
  call('POST', '/api-key/create', {}, { ...bearer(token), ...more })

async function countKeys(token: string): Promise<number> {
  return ((await call('GET', '/api-key/list', undefined, bearer(token))).body as unknown as unknown[]).length
}

test('a key above the limit is refused, until another one is deleted', async () => {
  const { token } = await world.signIn()
  for (let count = 0; count < 3; count++) assert.equal((await createKey(token)).status, 200)
  const { status, body } = await createKey(token)
  const { code, message, limit } = body.error as { code: string; message: string; limit: number }
  assert.deepEqual({ status, code, limit }, { status: 409, code: 'FAILED_PRECONDITION', limit: 3 })
  assert.match(message, /You have 3 API keys\. A user has at most 3\. Delete one/)
  assert.equal((await createKey((await world.signIn()).token)).status, 200, 'another user is not affected')
  const [first] = (await call('GET', '/api-key/list', undefined, bearer(token))).body as unknown as { id: string }[]
  await call('POST', '/api-key/update', { keyId: first?.id, enabled: false }, bearer(token))
  assert.equal((await createKey(token)).status, 409, 'a disabled key counts')
  await call('POST', '/api-key/delete', { keyId: first?.id }, bearer(token))
  assert.equal((await createKey(token)).status, 200)
})

test('keys that are created at the same time do not exceed the limit', async () => {
  const { token } = await world.signIn()
  const statuses = await Promise.all(Array.from({ length: 12 }, async () => (await createKey(token)).status))
  assert.equal(statuses.filter((status) => status === 200).length, 3)
  assert.equal(await countKeys(token), 3)
})

test('at the limit, a repeat returns the key of the first request', async () => {
  const { token } = await world.signIn()
  const idempotency = { 'idempotency-key': 'one' }
  const first = await createKey(token, idempotency)
  while ((await createKey(token)).status === 200);
  const again = await createKey(token, idempotency)
  assert.deepEqual([again.status, again.body.id], [200, first.body.id])
  assert.equal(again.body.key, undefined)
})
