/** Starting and stopping in order. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { connect } from '../../kit/program/socket.ts'
import { startTestGateway } from '../../kit/runtime/testGateway.ts'

test('a start on a port in use fails with one sentence that names the setting', async () => {
  const world = await startTestGateway()
  try {
    await assert.rejects(startTestGateway({ settings: { port: world.gateway.port } }), (error: Error) => {
      assert.equal(error.name, 'StartError')
      assert.match(error.message, new RegExp(`^Port ${world.gateway.port} on 127\\.0\\.0\\.1 .*set PORT`))
      return true
    })
  } finally {
    await world.stop()
  }
})

test('a stop sends the responses in flight, refuses new connections, and closes sockets with 1001', async () => {
  const world = await startTestGateway()
  const headers = { authorization: `Bearer ${(await world.signIn()).token}` }
  const client = connect(world.wsUrl, headers)
  await new Promise<void>((resolve) => client.on('connected', () => resolve()))
  const pending = world.graphql('{ waits(ms: 900) }', {}, headers)
  await sleep(250)
  const stopped = world.gateway.stop()
  await sleep(20)
  await assert.rejects(fetch(`${world.url}/api/public/health`, { headers: { connection: 'close' } }))
  assert.deepEqual((await pending).body, { data: { waits: 'waited' } })
  assert.equal((await client.closed).code, 1001)
  await stopped
  await world.stop()
})

test('a stop with `immediate` waits for no request', async () => {
  const world = await startTestGateway()
  const headers = { authorization: `Bearer ${(await world.signIn()).token}` }
  const pending = world.graphql('{ waits(ms: 5000) }', {}, headers).catch(() => 'cut')
  await sleep(50)
  const began = Date.now()
  await world.stop()
  assert.ok(Date.now() - began < 1_000)
  assert.equal(await pending, 'cut')
})
