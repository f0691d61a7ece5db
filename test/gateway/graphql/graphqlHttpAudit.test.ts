/** The public audit suite of GraphQL over HTTP passes whole. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { auditServer } from 'graphql-http'
import { startTestGateway, type TestGateway } from '../../kit/runtime/testGateway.ts'

let world: TestGateway
let token: string

before(async () => {
  world = await startTestGateway()
  token = (await world.signIn()).token
})
after(() => world.stop())

test('all 61 audits of graphql-http pass', async () => {
  const results = await auditServer({
    url: `${world.url}/api/graphql`,
    fetchFn: (url: string, init: RequestInit = {}) =>
      fetch(url, { ...init, headers: { ...init.headers, authorization: `Bearer ${token}` } }),
  })
  const failed = results.filter((result) => result.status !== 'ok')
  assert.deepEqual(
    failed.map((result) => `${result.status} ${result.id} ${result.name} ${'reason' in result ? result.reason : ''}`),
    [],
  )
  assert.equal(results.length, 61)
})
