/** The routes without a credential, and the information about the server that they return. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { raw } from '../../kit/program/raw.ts'
import { startTestGateway, type TestGateway } from '../../kit/runtime/testGateway.ts'

let world: TestGateway
const source = 'console.log("agent")\n'

before(async () => {
  world = await startTestGateway({
    settings: { metrics: { host: '127.0.0.1', port: 0 } },
    options: { agentProgram: async () => ({ filename: 'signalbox-agent.mjs', source, sha256: 'abc123' }) },
  })
})
after(() => world.stop())

test('ready says when the database is away, and health does not care', async () => {
  const status = async (path: string) => {
    const response = await fetch(`${world.url}/api/public/${path}`)
    return { status: response.status, body: (await response.json()) as { error?: { code: string; reason: string } } }
  }
  assert.equal((await status('ready')).status, 200)
  world.away = true
  const away = await status('ready')
  assert.equal(away.status, 503)
  assert.deepEqual([away.body.error?.code, away.body.error?.reason], ['UNAVAILABLE', 'database'])
  assert.equal((await status('health')).status, 200)
  world.away = false
})

test('the agent program comes with an ETag, and not again to whoever has it', async () => {
  const url = `${world.url}/api/public/agent/signalbox-agent.mjs`
  const first = await fetch(url)
  assert.equal(await first.text(), source)
  assert.match(first.headers.get('content-type') ?? '', /^text\/javascript/)
  const etag = first.headers.get('etag') ?? ''
  const again = await raw(world.gateway.port, [
    `GET /api/public/agent/signalbox-agent.mjs HTTP/1.1\r\nHost: localhost\r\nIf-None-Match: ${etag}\r\nConnection: close\r\n\r\n`,
  ])
  assert.equal(again.status, 304)
})

test('metrics name routes and never paths that callers invent', async () => {
  await fetch(`${world.url}/invented/by/caller`)
  const text = await world.registry.metrics()
  assert.match(text, /signalbox_http_request_seconds_count\{method="GET",route="unknown",status="404"\} \d/)
  assert.doesNotMatch(text, /invented/)
})
