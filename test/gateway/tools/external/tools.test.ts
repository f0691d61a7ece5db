/** The definition of a tool that a caller has, and the current one of its server. */
import assert from 'node:assert/strict'
import { after, afterEach, before, test } from 'node:test'
import { definitionHash } from '../../../../gateway/operations/tools/external/definition.ts'
import { type ScriptedServer, startScripted, text, tool } from '../../../kit/program/servers/scriptedServer.ts'
import { ManualClock } from '../../../kit/runtime/manualClock.ts'
import { available, failureOf, startExternal } from './externalSystem.ts'

let server: ScriptedServer
before(async () => {
  server = await startScripted()
})
after(() => server.stop())
afterEach(() => {
  server.tools = [tool('echo')]
  server.before = () => false
  server.pageSize = 1_000
})

const listed = () => server.seen.filter(({ rpc }) => rpc === 'tools/list').length

test('a listing is cached for a minute, and concurrent callers share one request', async (t) => {
  const clock = new ManualClock()
  const bench = await startExternal(t, { clock })
  const id = await bench.add({ url: server.url })
  const before = listed()
  await Promise.all(Array.from({ length: 10 }, () => bench.external.discover(id)))
  assert.equal(listed() - before, 1)
  await clock.advance(60_000)
  await bench.external.discover(id)
  assert.equal(listed() - before, 1)
  await clock.advance(1)
  await bench.external.discover(id)
  assert.equal(listed() - before, 2)
  await bench.external.discover(id, { maxAgeMs: 3_600_000 })
  assert.equal(listed() - before, 2)
  await clock.advance(1)
  await bench.external.discover(id, { maxAgeMs: 0 })
  assert.equal(listed() - before, 3)
})

test('a call of a tool that has changed or was removed is refused', async (t) => {
  const clock = new ManualClock()
  const bench = await startExternal(t, { clock })
  const id = await bench.add({ url: server.url })
  const hash = available(await bench.external.discover(id)).tools[0]?.hash
  assert.ok(hash)
  const call = () =>
    bench.external.call({ serverId: id, rawName: 'echo', arguments: {}, hash, signal: new AbortController().signal })
  await call()
  server.tools = [tool('echo', { inputSchema: { type: 'object', properties: { other: { type: 'number' } } } })]
  await clock.advance(60_001)
  assert.deepEqual(await failureOf(call()).then(({ outcome, code }) => [outcome, code]), [
    'PROTOCOL_ERROR',
    'TOOL_CHANGED',
  ])
  server.tools = [tool('another')]
  await clock.advance(60_001)
  assert.deepEqual(await failureOf(call()).then(({ outcome, code }) => [outcome, code]), [
    'PROTOCOL_ERROR',
    'TOOL_GONE',
  ])
  // The tool exists again, and the caller has it from another process. The outdated listing of this process does not cause a refusal.
  server.tools = [tool('echo', { description: 'In other words.' })]
  await clock.advance(5_001)
  await call()
  assert.equal(server.calls.length, 2)
})

test('a run calls only the endpoint that it was created with', async (t) => {
  const bench = await startExternal(t)
  const id = await bench.add({ url: server.url })
  const call = (url: string, transport: 'SSE' | 'STREAMABLE_HTTP') =>
    bench.call(id, 'echo', { endpoint: { url, transport } })
  await call(server.url, 'STREAMABLE_HTTP')
  for (const [url, transport] of [
    [`${server.url}/`, 'STREAMABLE_HTTP'],
    [server.url, 'SSE'],
  ] as const) {
    const { outcome, code } = await failureOf(call(url, transport))
    assert.deepEqual([outcome, code], ['PROTOCOL_ERROR', 'ENDPOINT_CHANGED'])
  }
  await bench.send(id, { type: 'configure', name: 'renamed', catalogPrefix: 'P' })
  await call(server.url, 'STREAMABLE_HTTP')
})

test('the same raw name on two servers has two aliases, and each call goes to its server', async (t) => {
  const other = await startScripted()
  t.after(() => other.stop())
  other.answer = () => text('I am the other one')
  const bench = await startExternal(t)
  const ids = [await bench.add({ url: server.url }), await bench.add({ url: other.url })]
  const aliases = await Promise.all(
    ids.map(async (id) => available(await bench.external.discover(id)).tools[0]?.definition.name),
  )
  assert.notEqual(aliases[0], aliases[1])
  for (const alias of aliases) assert.match(String(alias), /_echo$/)
  assert.deepEqual(await bench.call(String(ids[1]), 'echo'), text('I am the other one'))
  await bench.send(String(ids[0]), { type: 'configure', name: 'new name', catalogPrefix: 'New' })
  const [renamed] = available(await bench.external.discover(String(ids[0]))).tools
  assert.deepEqual([renamed?.definition.name, renamed?.definition.title], [aliases[0], 'New: echo'])
})

test('tools that no client would accept are left out, with the reason', async (t) => {
  const bench = await startExternal(t)
  const id = await bench.add({ url: server.url })
  const object = { type: 'object' }
  server.tools = [
    tool('b good', { title: 'Good', annotations: { readOnlyHint: true, unheard: 1 } }),
    tool('a good', { outputSchema: { ...object, properties: { n: { type: 'number' } } } }),
    tool('a good', { description: 'Another one of that name.' }),
    tool(''),
    tool('x'.repeat(257)),
    { description: 'nameless', inputSchema: object },
    null,
    tool('no object', { inputSchema: { type: 'string' } }),
    tool('no schema', { inputSchema: undefined }),
    tool('odd property', { inputSchema: { ...object, properties: { a: true } } }),
    tool('bad pattern', { outputSchema: { ...object, properties: { a: { type: 'string', pattern: '(' } } } }),
    tool('dangling', { outputSchema: { ...object, properties: { a: { $ref: '#/$defs/nowhere' } } } }),
    tool('long', { description: 'x'.repeat(70_000) }),
    tool('task', { execution: { taskSupport: 'required' } }),
  ]
  // The SDK's server would not send some of these.
  server.before = (_request, response, sent) => {
    if (!sent.includes('"tools/list"')) return false
    const result = { jsonrpc: '2.0', id: JSON.parse(sent).id, result: { tools: server.tools } }
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(result))
    return true
  }
  const { tools, leftOut } = available(await bench.external.discover(id))
  assert.deepEqual(
    tools.map(({ rawName, definition: { title, annotations } }) => [rawName, title, annotations]),
    [
      ['a good', undefined, undefined],
      ['b good', 'Good', { readOnlyHint: true }],
    ],
  )
  assert.deepEqual(
    leftOut?.map(({ rawName, reason }) => [rawName, reason]),
    [
      ['a good', 'Another tool has the same name.'],
      ...[1, 2, 3, 4].map(() => [null, 'The tool has no name, or one of more than 256 characters.']),
      ['no object', 'Clients do not accept the definition of the tool: inputSchema.type is invalid.'],
      ['no schema', 'Clients do not accept the definition of the tool: inputSchema is invalid.'],
      ['odd property', 'Clients do not accept the definition of the tool: inputSchema.properties.a is invalid.'],
      ['bad pattern', 'The outputSchema of the tool is not a valid JSON schema.'],
      ['dangling', 'The outputSchema of the tool is not a valid JSON schema.'],
      ['long', 'The definition of the tool has 70104 bytes, but at most 65536 are accepted.'],
      ['task', 'The tool can be called only as a task, which Signalbox does not support.'],
    ],
  )
})

test('a server without the method tools/list has no tools', async (t) => {
  const bench = await startExternal(t)
  const id = await bench.add({ url: server.url })
  server.before = (_request, response, sent) => {
    if (!sent.includes('"tools/list"')) return false
    const error = { code: -32_601, message: 'Method not found' }
    response
      .writeHead(200, { 'content-type': 'application/json' })
      .end(JSON.stringify({ jsonrpc: '2.0', id: JSON.parse(sent).id, error }))
    return true
  }
  assert.deepEqual(available(await bench.external.discover(id)).tools, [])
})

test('a disabled or deleted server gets no request', async (t) => {
  const bench = await startExternal(t)
  const id = await bench.add({ url: server.url, name: 'mine' })
  const { hash } = available(await bench.external.discover(id)).tools[0] ?? {}
  const ends = async (code: string, name: string | null) => {
    const before = server.seen.length
    const found = await bench.external.discover(id)
    assert.deepEqual(found.available ? [] : [found.problem.code, found.serverName], [code, name])
    assert.equal((await failureOf(bench.call(id, 'echo', { hash: String(hash) }))).code, code)
    assert.equal(server.seen.length, before)
  }
  await bench.send(id, { type: 'disable' })
  await ends('DISABLED', 'mine')
  await bench.send(id, { type: 'enable' })
  await bench.call(id, 'echo')
  await bench.send(id, { type: 'delete' })
  await ends('NOT_FOUND', null)
  assert.equal((await bench.external.discover('run_00000000000000000000000000')).available, false)
})

test('the hash of a definition depends on its name and all of its schemas, and not on the order of keys', () => {
  const input = { type: 'object', properties: { a: { type: 'string' }, b: { type: 'number' } } }
  const turned = { properties: { b: { type: 'number' }, a: { type: 'string' } }, type: 'object' }
  const hash = definitionHash('t', input, undefined)
  assert.equal(definitionHash('t', turned, undefined), hash)
  const others = [
    definitionHash('u', input, undefined),
    definitionHash('t', { ...input, required: ['a'] }, undefined),
    definitionHash('t', input, { type: 'object' }),
  ]
  assert.equal(new Set([hash, ...others]).size, 4)
  assert.equal(definitionHash('t', { type: 'object', title: '\ud800' }, undefined), undefined)
})
