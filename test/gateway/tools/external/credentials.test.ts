/** The headers that a server is shown: those that are saved at the moment of the call, and only to the host that they are for. */
import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import { reseal } from '../../../../gateway/operations/settings/reseal.ts'
import { withRowTypes } from '../../../../gateway/operations/typedViews.ts'
import { AppKeys } from '../../../../gateway/secrets/appKeys.ts'
import { sealingsOf } from '../../../../gateway/secrets/sealing.ts'
import { type ScriptedServer, startScripted } from '../../../kit/program/servers/scriptedServer.ts'
import { failureOf, sealing, startExternal } from './externalSystem.ts'

let server: ScriptedServer
before(async () => {
  server = await startScripted()
})
after(() => server.stop())
beforeEach(() => {
  server.seen.length = 0
  server.calls.length = 0
  server.before = () => false
})

const shown = () => [...new Set(server.seen.map(({ headers }) => headers.authorization))]
const initialized = () => server.seen.filter(({ rpc }) => rpc === 'initialize').length

for (const transport of ['STREAMABLE_HTTP', 'SSE'] as const) {
  test(`over ${transport} every request has the saved headers, and after a rotation the new ones on a new connection`, async (t) => {
    const bench = await startExternal(t)
    const url = transport === 'SSE' ? server.sseUrl : server.url
    const headers = { authorization: 'Bearer first', 'x-tenant': 'blue' }
    const id = await bench.add({ url, transport, headers })
    await bench.call(id, 'echo')
    assert.deepEqual(shown(), ['Bearer first'])
    assert.ok(server.seen.every(({ headers: sent }) => sent['x-tenant'] === 'blue'))
    assert.equal(initialized(), 1)
    server.seen.length = 0
    await bench.setHeaders(id, { authorization: 'Bearer second' })
    await bench.call(id, 'echo')
    assert.deepEqual(
      server.seen.filter(({ method }) => method !== 'DELETE').map(({ headers: sent }) => sent.authorization),
      server.seen.filter(({ method }) => method !== 'DELETE').map(() => 'Bearer second'),
    )
    assert.equal(initialized(), 1, 'a session of its own')
  })
}

test('a call in flight continues with its former headers, and its connection is not used again', async (t) => {
  const bench = await startExternal(t)
  const id = await bench.add({ url: server.url, headers: { authorization: 'Bearer first' } })
  let finish = () => {}
  const answer = server.answer
  t.after(() => {
    server.answer = answer
  })
  server.answer = () => new Promise((resolve) => (finish = () => resolve({ content: [] })))
  const call = bench.call(id, 'echo')
  while (server.calls.length === 0) await new Promise((resolve) => setTimeout(resolve, 10))
  await bench.setHeaders(id, { authorization: 'Bearer second' })
  finish()
  assert.deepEqual(await call, { content: [] })
  server.answer = answer
  server.seen.length = 0
  await bench.call(id, 'echo')
  assert.deepEqual([initialized(), shown().includes('Bearer second')], [1, true])
  const calls = server.seen.filter(({ rpc }) => rpc === 'tools/call')
  assert.deepEqual(
    calls.map(({ headers }) => headers.authorization),
    ['Bearer second'],
  )
})

test('the headers are never sent to another host, but are sent to another path of the same host', async (t) => {
  const other = await startScripted()
  t.after(() => other.stop())
  const bench = await startExternal(t)
  const id = await bench.add({ url: server.url, headers: { authorization: 'Bearer first' } })
  await bench.send(id, { type: 'configure', url: `${server.url}?tenant=1` })
  await bench.call(id, 'echo')
  assert.deepEqual(shown(), ['Bearer first'])
  await bench.send(id, { type: 'configure', url: other.url })
  await bench.call(id, 'echo')
  assert.deepEqual([...new Set(other.seen.map(({ headers }) => headers.authorization))], [undefined])
  await bench.send(id, { type: 'configure', url: server.url })
  server.seen.length = 0
  await bench.call(id, 'echo')
  assert.deepEqual(shown(), [undefined], 'they are gone, not hidden')
})

test('if a header cannot be decrypted, the server gets no request without it, and the problem is shown', async (t) => {
  const bench = await startExternal(t)
  const id = await bench.add({ url: server.url })
  const elsewhere = sealingsOf(new AppKeys(new Uint8Array(32).fill(1))).externalCredential
  const { origin } = new URL(server.url)
  const set = { 'x-token': elsewhere.seal('v', { owner: id, origin }) }
  await bench.send(id, { type: 'setHeaders', origin, set, remove: [] })
  assert.match(
    (await failureOf(bench.call(id, 'echo', { hash: 'x' }))).message,
    /The saved header x-token .* Set it again/,
  )
  assert.deepEqual([(await bench.row(id)).columns.status, server.seen.length], ['DEGRADED', 0])
})

test('a status 401 is reported as probably wrong headers, without their values', async (t) => {
  const bench = await startExternal(t)
  const id = await bench.add({ url: server.url, headers: { authorization: 'Bearer wrong-wrong' } })
  server.before = ({ headers }, response) => {
    response.writeHead(401, { 'www-authenticate': 'Bearer' }).end(`you are ${headers.authorization}`)
    return true
  }
  const found = await bench.external.discover(id)
  const message = found.available ? '' : found.problem.message
  assert.match(message, /HTTP status 401: its saved headers may be wrong or missing/)
  const everything = JSON.stringify([message, await bench.row(id), bench.logs])
  assert.ok(!everything.includes('wrong-wrong'))
})

test('after a change of APP_SECRET the headers are re-encrypted, and the revision of the server does not change', async (t) => {
  const bench = await startExternal(t)
  const id = await bench.add({ url: server.url, headers: { a: 'first', b: 'second' } })
  await bench.call(id, 'echo')
  const sealings = sealingsOf(new AppKeys(new Uint8Array(32).fill(2), new Uint8Array(32)))
  const parts = { views: withRowTypes(bench.storage.views), system: bench.system, sealings, now: Date.now() }
  const before = (await bench.row(id)).context
  assert.equal(await reseal('mcpServer', parts), 2)
  assert.equal(await reseal('mcpServer', parts), 0)
  const { headers, revision } = (await bench.row(id)).context as { headers: Record<string, string>; revision: number }
  assert.equal(revision, before.revision)
  const only = sealingsOf(new AppKeys(new Uint8Array(32).fill(2))).externalCredential
  const binding = { owner: id, origin: server.url }
  assert.deepEqual(
    Object.values(headers).map((sealed) => only.open(sealed, binding)),
    [
      { type: 'opened', secret: 'first' },
      { type: 'opened', secret: 'second' },
    ],
  )
  assert.equal(sealing.open(String(headers.a), binding).type, 'unknownKey')
})
