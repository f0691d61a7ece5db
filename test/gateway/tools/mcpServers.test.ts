/** External MCP servers in GraphQL: who may have them, what is shown of them, and what becomes of their headers. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import * as v from 'valibot'
import { createOutbound } from '../../../actors/effects/outbound/outbound.ts'
import { objectTypes, operations } from '../../../gateway/operations/operations.ts'
import { createExternalTools } from '../../../gateway/operations/tools/external/externalTools.ts'
import { withRowTypes } from '../../../gateway/operations/typedViews.ts'
import { AppKeys } from '../../../gateway/secrets/appKeys.ts'
import { sealingsOf } from '../../../gateway/secrets/sealing.ts'
import { limits } from '../../../spec/core/limits.ts'
import { outboundAllow } from '../../../spec/settings/schemas.ts'
import type { ExternalTools } from '../../../spec/tools/external.ts'
import { type ScriptedServer, startScripted, tool } from '../../kit/program/servers/scriptedServer.ts'
import { systemClock } from '../../kit/runtime/systemClock.ts'
import { startTestGateway, type TestGateway } from '../../kit/runtime/testGateway.ts'

let other: ScriptedServer
let world: TestGateway
let external: ExternalTools
let key: string
before(async () => {
  other = await startScripted([tool('get-weather', { title: 'Weather' })])
  const externalTools: ExternalTools = {
    discover: (...given) => external.discover(...given),
    call: (call) => external.call(call),
    close: () => external.close(),
  }
  const sealings = sealingsOf(new AppKeys(new Uint8Array(32).fill(7)))
  world = await startTestGateway({ options: { operations, objectTypes, externalTools, sealings } })
  external = createExternalTools({
    views: withRowTypes(world.storage.views),
    system: world.system,
    sealing: sealings.externalCredential,
    outbound: createOutbound({ allow: v.parse(outboundAllow, '127.0.0.1'), clock: systemClock }),
    clock: systemClock,
    limits,
    log: { debug: () => {}, warn: (entry: Record<string, unknown>) => void world.logs.push(entry) } as never,
  })
  key = (await world.apiKey((await world.signIn()).userId)).token
})
after(async () => {
  await external.close()
  await world.stop()
  await other.stop()
})

interface Server {
  readonly id: string
  readonly status: string
  readonly url: string
  readonly headerNames: readonly string[]
  readonly [field: string]: unknown
}

const fields =
  'id status enabled name catalogPrefix url transport headerNames toolCount discoveredAt retryAt problem { message at }'

async function ask<T>(query: string, variables: Record<string, unknown> = {}): Promise<T> {
  const { body } = await world.graphql(query, variables, { 'x-api-key': key })
  if (body.errors) throw Object.assign(new Error(JSON.stringify(body.errors)), { errors: body.errors })
  return body.data as T
}

async function change(name: string, input: Record<string, unknown>): Promise<Server> {
  const type = `${name[0]?.toUpperCase()}${name.slice(1)}Input`
  const text = `mutation ($input: ${type}!) { ${name}(input: $input) { mcpServer { ${fields} } } }`
  return (await ask<Record<string, { mcpServer: Server }>>(text, { input }))[name]?.mcpServer as Server
}

const create = (more: Record<string, unknown> = {}) =>
  change('createMcpServer', { name: 'weather', url: other.url, ...more })

async function refusal(asked: Promise<unknown>): Promise<{ code: string; field: string | undefined; text: string }> {
  const error = await asked.then(
    () => assert.fail('it was granted'),
    (problem: Error & { errors?: { extensions: { code: string; details?: { field?: string } } }[] }) => problem,
  )
  const { code = '', details } = error.errors?.[0]?.extensions ?? {}
  return { code, field: details?.field?.replace(/^input\./, ''), text: error.message }
}

test('a server is added and refreshed, and shows its tools under their aliases', async () => {
  const made = await create({ catalogPrefix: 'W' })
  assert.deepEqual(
    [made.status, made.enabled, made.transport, made.headerNames, made.toolCount],
    ['UNKNOWN', true, 'STREAMABLE_HTTP', [], null],
  )
  const refreshed = await change('refreshMcpServer', { serverId: made.id })
  assert.deepEqual([refreshed.status, refreshed.toolCount, refreshed.problem], ['REACHABLE', 1, null])
  const { mcpServerTools } = await ask<{ mcpServerTools: { tools: Record<string, unknown>[] } }>(
    `query ($id: ID!) { mcpServerTools(serverId: $id) {
      available problem { code } tools { name alias title description inputSchema outputSchema } leftOut { name reason } } }`,
    { id: made.id },
  )
  const alias = mcpServerTools.tools[0]?.alias
  assert.match(String(alias), /^svc_ext_[0-9a-f]{20}_get-weather$/)
  assert.deepEqual(mcpServerTools, {
    available: true,
    problem: null,
    tools: [
      {
        name: 'get-weather',
        alias,
        title: 'W: Weather',
        description: 'Does get-weather.',
        inputSchema: { type: 'object', properties: { text: { type: 'string' } } },
        outputSchema: null,
      },
    ],
    leftOut: [],
  })
})

test('an unreachable server shows the problem, in the response and afterwards', async () => {
  const made = await create({ url: 'http://127.0.0.1:1/mcp' })
  const refreshed = await change('refreshMcpServer', { serverId: made.id })
  assert.equal(refreshed.status, 'DEGRADED')
  assert.match((refreshed.problem as { message: string }).message, /127\.0\.0\.1:?1? can't be reached \(ECONNREFUSED\)/)
  const { mcpServerTools } = await ask<{ mcpServerTools: Record<string, unknown> }>(
    'query ($id: ID!) { mcpServerTools(serverId: $id) { available problem { code } tools { name } } }',
    { id: made.id },
  )
  assert.deepEqual(mcpServerTools, { available: false, problem: { code: 'UNREACHABLE' }, tools: [] })
})

test('headers are sent, and shown nowhere: not in answers, history, operators’ views or logs', async () => {
  const { id } = await create()
  const secret = 'hunter2-hunter2-hunter2'
  const set = [
    { name: 'Authorization', value: `Bearer ${secret}` },
    { name: 'X-Tenant', value: secret },
  ]
  const changed = await change('setMcpServerHeaders', { serverId: id, set })
  assert.deepEqual(changed.headerNames, ['authorization', 'x-tenant'])
  other.seen.length = 0
  await change('refreshMcpServer', { serverId: id })
  assert.equal(other.seen[0]?.headers.authorization, `Bearer ${secret}`)
  const removed = await change('setMcpServerHeaders', { serverId: id, remove: ['x-TENANT'] })
  assert.deepEqual(removed.headerNames, ['authorization'])
  const everything = await ask(
    `query ($id: ID!) { mcpServer(id: $id) { ${fields} } actor(id: $id) { context init }
      actorHistory(id: $id, first: 50) { nodes { event payload change } } mcpServers(first: 50) { nodes { ${fields} } } }`,
    { id },
  ).catch((error: Error) => error.message)
  const said = JSON.stringify([everything, world.logs])
  assert.ok(said.includes('setHeaders') && said.includes('[redacted]'), said.slice(0, 500))
  assert.ok(!said.includes('hunter2') && !said.includes('sealed1.'))
})

for (const [words, set, field] of [
  ['with a line break', [{ name: 'a', value: 'hunter2\r\nhost: evil' }], 'set.0.value'],
  ['with a blank at its end', [{ name: 'a', value: 'hunter2 ' }], 'set.0.value'],
  ['that is not ASCII', [{ name: 'a', value: 'hunter2ä' }], 'set.0.value'],
  ['without a value', [{ name: 'a', value: '' }], 'set.0.value'],
  ['with an invalid name', [{ name: 'a b', value: 'hunter2' }], 'set.0.name'],
  ['that the client itself sets', [{ name: 'Mcp-Session-Id', value: 'hunter2' }], 'set.0.name'],
  ['that frames the message', [{ name: 'Content-Length', value: '7' }], 'set.0.name'],
  [
    'twice',
    [
      { name: 'a', value: 'hunter2' },
      { name: 'A', value: 'hunter2' },
    ],
    'set',
  ],
  ['in an empty list', [], 'set'],
] as const)
  test(`a header ${words} is refused, and the error does not repeat it`, async () => {
    const { id } = await create()
    const refused = await refusal(change('setMcpServerHeaders', { serverId: id, set }))
    assert.deepEqual([refused.code, refused.field?.replace(/\[(\d)\]/, '.$1')], ['BAD_USER_INPUT', field])
    assert.ok(!refused.text.includes('hunter2'), refused.text)
    assert.deepEqual((await change('updateMcpServer', { serverId: id })).headerNames, [])
  })

for (const url of [
  'nonsense',
  'ftp://example.org/',
  'https://user:pass@example.org/mcp',
  'https://example.org/#a',
  'javascript:1',
])
  test(`the URL ${url} is refused`, async () => {
    const refused = await refusal(create({ url }))
    assert.deepEqual([refused.code, refused.field], ['BAD_USER_INPUT', 'url'])
  })

test('a change keeps the omitted fields, and a change of the host removes the headers', async () => {
  const { id } = await create({ catalogPrefix: 'W' })
  await change('setMcpServerHeaders', { serverId: id, set: [{ name: 'a', value: 'v' }] })
  const renamed = await change('updateMcpServer', { serverId: id, name: 'new' })
  assert.deepEqual(
    [renamed.name, renamed.catalogPrefix, renamed.url, renamed.headerNames],
    ['new', 'W', other.url, ['a']],
  )
  assert.equal((await change('updateMcpServer', { serverId: id, catalogPrefix: null })).catalogPrefix, null)
  const moved = await change('updateMcpServer', { serverId: id, url: 'https://else.example', transport: 'SSE' })
  assert.deepEqual(
    [moved.url, moved.transport, moved.headerNames, moved.status],
    ['https://else.example/', 'SSE', [], 'UNKNOWN'],
  )
})

test('a disabled server gets no request, and a deleted one is in no list and accepts no change', async () => {
  const { id } = await create()
  const disabled = await change('disableMcpServer', { serverId: id })
  assert.equal(disabled.enabled, false)
  assert.equal((await refusal(change('refreshMcpServer', { serverId: id }))).code, 'FAILED_PRECONDITION')
  const { mcpServerTools } = await ask<{ mcpServerTools: unknown }>(
    'query ($id: ID!) { mcpServerTools(serverId: $id) { available problem { code } } }',
    { id },
  )
  assert.deepEqual(mcpServerTools, { available: false, problem: { code: 'DISABLED' } })
  assert.equal((await change('enableMcpServer', { serverId: id })).enabled, true)
  for (let n = 0; n < 2; n++) assert.equal((await change('deleteMcpServer', { serverId: id })).status, 'DELETED')
  assert.equal((await refusal(change('updateMcpServer', { serverId: id, name: 'n' }))).code, 'FAILED_PRECONDITION')
  const { mcpServers } = await ask<{ mcpServers: { nodes: Server[] } }>('{ mcpServers(first: 100) { nodes { id } } }')
  assert.ok(!mcpServers.nodes.some((one) => one.id === id))
})

test('a repeat with the same idempotency key creates no other server', async () => {
  const [first, again] = [await create({ idempotencyKey: 'k' }), await create({ idempotencyKey: 'k' })]
  assert.equal(first.id, again.id)
})

test('neither agents nor callers without a credential may list servers', async () => {
  const { token } = await world.agent()
  for (const headers of [{ authorization: `Bearer ${token}` }, {}] as Record<string, string>[]) {
    const { body } = await world.graphql('{ mcpServers(first: 1) { nodes { id } } }', {}, headers)
    assert.ok(body.errors, JSON.stringify(body))
  }
})

test('an unknown ID of a server is refused with NOT_FOUND', async () => {
  const serverId = 'mcs_01hzzzzzzzzzzzzzzzzzzzzzzz'
  for (const name of ['updateMcpServer', 'refreshMcpServer', 'deleteMcpServer', 'enableMcpServer'])
    assert.equal((await refusal(change(name, { serverId }))).code, 'NOT_FOUND', name)
  const set = [{ name: 'a', value: 'v' }]
  assert.equal((await refusal(change('setMcpServerHeaders', { serverId, set }))).code, 'NOT_FOUND')
})
