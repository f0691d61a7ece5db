/** The routes without a credential, and the information about the server that they return. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { raw } from '../../kit/program/raw.ts'
import { startTestGateway, type TestGateway } from '../../kit/runtime/testGateway.ts'

let world: TestGateway
const sources = { agent: 'console.log("agent")\n', dsym: 'console.log("dsym")\n' }

before(async () => {
  world = await startTestGateway({
    settings: { metrics: { host: '127.0.0.1', port: 0 } },
    options: {
      agentProgram: async () => ({ filename: 'signalbox-agent.mjs', source: sources.agent, sha256: 'abc123' }),
      dsymClient: async () => ({ filename: 'signalbox-dsym.mjs', source: sources.dsym, sha256: 'def456' }),
    },
  })
})
after(() => world.stop())

test('ready returns 503 while the database is unavailable, and health returns 200', async () => {
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

for (const name of ['agent', 'dsym'] as const)
  test(`the program of ${name} has an ETag, and is not sent again to a client that has it`, async () => {
    const path = `/api/public/${name}/signalbox-${name}.mjs`
    const first = await fetch(world.url + path)
    assert.equal(await first.text(), sources[name])
    assert.match(first.headers.get('content-type') ?? '', /^text\/javascript/)
    assert.equal(first.headers.get('content-disposition'), `attachment; filename="signalbox-${name}.mjs"`)
    const etag = first.headers.get('etag') ?? ''
    const again = await raw(world.gateway.port, [
      `GET ${path} HTTP/1.1\r\nHost: localhost\r\nIf-None-Match: ${etag}\r\nConnection: close\r\n\r\n`,
    ])
    assert.equal(again.status, 304)
  })

test('metrics name routes and never unknown paths from callers', async () => {
  await fetch(`${world.url}/invented/by/caller`)
  const text = await world.registry.metrics()
  assert.match(text, /signalbox_http_request_seconds_count\{method="GET",route="unknown",status="404"\} \d/)
  assert.doesNotMatch(text, /invented/)
})
