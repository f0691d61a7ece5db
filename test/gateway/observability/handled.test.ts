/** At level `debug` the log has each operation that was carried out, with its caller. Refused operations are not in it. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startTestGateway } from '../../kit/runtime/testGateway.ts'

test('the log has the executed operations with their callers, and no refused ones', async (t) => {
  const world = await startTestGateway()
  t.after(() => world.stop())
  const { userId, token } = await world.signIn()
  const { token: key, keyId } = await world.apiKey(userId)
  const asUser = { authorization: `Bearer ${token}` }
  const { token: agent } = await world.agent()

  await world.graphql('{ health }', {}, { 'x-api-key': key, 'x-request-id': 'a-query' })
  await fetch(`${world.url}/api/auth/list-sessions`, { headers: { ...asUser, 'x-request-id': 'a-route' } })
  await world.graphql('{ health }', {}, { authorization: `Bearer ${agent}`, 'x-request-id': 'forbidden' })
  await world.graphql('{ node(id: "nonsense") { id } }', {}, { 'x-api-key': key, 'x-request-id': 'bad-input' })
  await fetch(`${world.url}/api/auth/list-sessions`, { headers: { 'x-request-id': 'nobody' } })

  const handled = world.logs
    .filter(({ msg }) => msg === 'handled')
    .map(({ requestId, operation, by, principal }) => ({ requestId, operation, by, principal }))
  assert.deepEqual(handled, [
    { requestId: 'a-query', operation: 'health', by: 'apiKey', principal: keyId },
    { requestId: 'a-route', operation: 'listSessions', by: 'user', principal: userId },
  ])
})
