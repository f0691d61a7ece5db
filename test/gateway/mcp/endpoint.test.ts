/** `/api/mcp` as a whole: who may come in, what is refused with which code, and what ends with the caller. */
import { deepEqual, equal, match, ok } from 'node:assert/strict'
import { connect } from 'node:net'
import { after, before, describe, it } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Limits } from '../../../gateway/limits/limits.ts'
import { operations } from '../../../gateway/operations/operations.ts'
import type { ServedTool } from '../../../gateway/operations/tools/servedTool.ts'
import { type Credentials, modern, type RpcAnswer, rpc } from '../../kit/program/mcp.ts'
import { startTestGateway, type TestGateway } from '../../kit/runtime/testGateway.ts'

/** Waits until its caller has gone, or for good. */
function patient(): { tool: ServedTool; begun: number; ended: number } {
  const kept = {
    begun: 0,
    ended: 0,
    tool: {
      definition: { name: 'wait', description: 'Waits.', inputSchema: { type: 'object' } },
      async call(_given: unknown, { signal, progress }: Parameters<ServedTool['call']>[1]) {
        kept.begun++
        progress?.({ progress: 1 })
        await sleep(30_000, undefined, { signal, ref: false }).finally(() => kept.ended++)
        return { content: [] }
      },
    },
  }
  return kept
}

async function until(what: () => boolean): Promise<void> {
  for (const begun = Date.now(); !what(); await sleep(10)) ok(Date.now() - begun < 5_000, `never: ${what}`)
}

describe('the MCP endpoint', () => {
  let world: TestGateway
  const waiting = patient()
  let key: Credentials
  let bearer: Credentials
  let keyId: string
  let agent: Credentials

  before(async () => {
    world = await startTestGateway({
      options: { operations, tools: [waiting.tool] },
      settings: { limits: { toolCallsPerMinute: 10_000 } },
    })
    const { userId, token } = await world.signIn()
    const made = await world.apiKey(userId)
    keyId = made.keyId
    key = { 'x-api-key': made.token }
    bearer = { authorization: `Bearer ${token}` }
    agent = { authorization: `Bearer ${(await world.agent()).token}` }
  })
  after(() => world.stop())

  const asked = (headers: Credentials, scope = ''): Promise<RpcAnswer> =>
    rpc(world, 'tools/list', {}, { headers, scope })
  const run = 'run_01h455vb4pex5vsknk084sn02q'

  describe('refuses, in the order of the checks', () => {
    const table: readonly [what: string, headers: () => Credentials, scope: string, status: number, code: string][] = [
      ['no credential', () => ({}), '', 401, 'TOOL_API_UNAUTHORIZED'],
      ['no credential, before the scope is checked', () => ({}), '?run=', 401, 'TOOL_API_UNAUTHORIZED'],
      ['an unknown key', () => ({ 'x-api-key': `svc_${'x'.repeat(43)}` }), '', 401, 'TOOL_API_UNAUTHORIZED'],
      ['two credentials', () => ({ ...key, ...bearer }), '', 401, 'TOOL_API_UNAUTHORIZED'],
      ['an enrollment token', () => ({ authorization: 'Bearer enroll_x' }), '', 401, 'TOOL_API_UNAUTHORIZED'],
      ['both scopes', () => key, `?preset=x&run=${run}`, 400, 'INVALID_MCP_SCOPE'],
      ['a preset twice', () => key, '?preset=x&preset=x', 400, 'INVALID_MCP_SCOPE'],
      ['a run twice', () => agent, `?run=${run}&run=${run}`, 400, 'INVALID_MCP_SCOPE'],
      ['a parameter in capitals', () => key, '?Preset=x', 400, 'INVALID_MCP_SCOPE'],
      ['an unknown parameter', () => key, '?presetId=x', 400, 'INVALID_MCP_SCOPE'],
      ['an unknown parameter beside a right one', () => agent, `?run=${run}&x=`, 400, 'INVALID_MCP_SCOPE'],
      ['a parameter without a name', () => key, '?=x', 400, 'INVALID_MCP_SCOPE'],
      ['an empty preset', () => key, '?preset=', 400, 'INVALID_MCP_SCOPE'],
      ['an empty run', () => agent, '?run', 400, 'INVALID_MCP_SCOPE'],
      ['a wrong scope before a wrong kind of caller', () => agent, '?preset=', 400, 'INVALID_MCP_SCOPE'],
      ['an agent without a run', () => agent, '', 401, 'TOOL_API_UNAUTHORIZED'],
      ['an agent with a preset', () => agent, '?preset=x', 401, 'TOOL_API_UNAUTHORIZED'],
      ['a key with a run', () => key, `?run=${run}`, 401, 'TOOL_API_UNAUTHORIZED'],
      ['a session with a run', () => bearer, `?run=${run}`, 401, 'TOOL_API_UNAUTHORIZED'],
      ['an unknown preset', () => key, '?preset=mtp_01h455vb4pex5vsknk084sn02q', 404, 'MCP_PRESET_NOT_FOUND'],
      ['an invalid ID of a preset', () => key, '?preset=%00', 404, 'MCP_PRESET_NOT_FOUND'],
      ['an unknown run', () => agent, `?run=${run}`, 404, 'RUN_NOT_FOUND'],
      ['an ID of another kind as the run', () => agent, '?run=agt_01h455vb4pex5vsknk084sn02q', 404, 'RUN_NOT_FOUND'],
      ['a page of another site', () => ({ ...key, origin: 'http://evil.example' }), '', 403, 'INVALID_ORIGIN'],
    ]
    for (const [what, headers, scope, status, code] of table) {
      it(what, async () => {
        const answer = await asked(headers(), scope)
        deepEqual([answer.status, answer.body?.error?.data?.code], [status, code])
        equal(answer.body?.error?.data?.requestId, answer.headers.get('x-request-id'))
      })
    }
  })

  it('accepts sessions and API keys', async () => {
    for (const headers of [key, bearer]) equal((await asked(headers)).status, 200)
  })

  it('echoes the request ID and records it with the call', async () => {
    const { headers } = await rpc(
      world,
      'tools/call',
      { name: 'get_agents' },
      { headers: { ...key, 'x-request-id': 'mine-1' } },
    )
    equal(headers.get('x-request-id'), 'mine-1')
    const [call] = await world.storage.toolCalls.list({ requestId: 'mine-1', limit: 10 })
    const { caller, source, scopeId, tool, outcome, argumentsSha256 } = call ?? {}
    deepEqual(
      { caller, source, scopeId, tool, outcome },
      { caller: keyId, source: 'MCP', scopeId: null, tool: 'get_agents', outcome: 'SUCCESS' },
    )
    match(argumentsSha256 ?? '', /^[0-9a-f]{64}$/)
    const other = await asked({ ...key, 'x-request-id': 'x'.repeat(129) })
    match(other.headers.get('x-request-id') ?? '', /^[0-9a-f-]{36}$/)
  })

  it('lists its tools in the same order each time', async () => {
    const names = async () => (await asked(key)).body?.result.tools.map(({ name }: { name: string }) => name)
    const first = await names()
    deepEqual(first, [...first].sort())
    deepEqual(await names(), first)
  })

  it('returns what is wrong with an argument, and an error for an unknown tool', async () => {
    const bad = await modern(world, 'tools/call', { name: 'get_agents', arguments: { first: 0 } }, { headers: key })
    equal(bad.body?.result.isError, true)
    match(bad.body?.result.content[0].text, /^BAD_USER_INPUT: first: /)
    const odd = await modern(world, 'tools/call', { name: 'get_agents', arguments: { frist: 1 } }, { headers: key })
    match(odd.body?.result.content[0].text, /frist: is not a known field; the known fields are first, /)
    const none = await modern(world, 'tools/call', { name: 'get_agentz' }, { headers: key })
    equal(none.body?.error?.code, -32602)
  })

  it('refuses a body that is not JSON, and a body that is too large', async () => {
    const send = (body: string, headers: Credentials = {}) =>
      fetch(`${world.url}/api/mcp`, {
        method: 'POST',
        headers: {
          ...key,
          'content-type': 'application/json',
          accept: 'application/json, text/event-stream',
          ...headers,
        },
        body,
      })
    const broken = await send('{"jsonrpc"')
    deepEqual([broken.status, ((await broken.json()) as { error: { code: number } }).error.code], [400, -32700])
    equal((await send('{}', { 'content-type': 'text/plain' })).status, 415)
    equal((await send(`"${'x'.repeat(4 * 1024 * 1024)}"`)).status, 413)
    const wrong = await send('{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":7}}')
    ok(wrong.status === 200 || wrong.status === 400)
    match(await wrong.text(), /-3260[02]/)
  })

  it('accepts only POST', async () => {
    for (const method of ['GET', 'DELETE', 'PUT']) {
      const answer = await fetch(`${world.url}/api/mcp`, { method, headers: key })
      deepEqual([answer.status, answer.headers.get('allow')], [405, 'OPTIONS, POST'])
    }
  })

  it('accepts and ignores the notification that a request is canceled', async () => {
    const body = JSON.stringify({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 1 } })
    const headers = { ...key, 'content-type': 'application/json', accept: 'application/json, text/event-stream' }
    equal((await fetch(`${world.url}/api/mcp`, { method: 'POST', headers, body })).status, 202)
  })

  for (const [era, call] of [
    ['2025-11-25', rpc],
    ['2026-07-28', modern],
  ] as const) {
    it(`ends a call when its stream is closed (${era})`, async () => {
      const { begun, ended } = waiting
      const gone = new AbortController()
      const original = globalThis.fetch
      globalThis.fetch = (input, init) => original(input, { ...init, signal: gone.signal })
      const params = { name: 'wait', _meta: { progressToken: 1 } }
      const id = `closed-${era}`
      const answer = call(world, 'tools/call', params, { headers: { ...key, 'x-request-id': id } }).catch(
        (error) => error,
      )
      globalThis.fetch = original
      await until(() => waiting.begun === begun + 1)
      gone.abort()
      await answer
      await until(() => waiting.ended === ended + 1)
      const record = async () => (await world.storage.toolCalls.list({ requestId: id, limit: 1 }))[0]
      for (const since = Date.now(); (await record()) === undefined; await sleep(10)) ok(Date.now() - since < 5_000)
      equal((await record())?.outcome, 'CANCELED')
    })
  }

  it('allows each principal 32 calls in flight', async () => {
    const { userId } = await world.signIn()
    const busy = { 'x-api-key': (await world.apiKey(userId)).token }
    const { begun, ended } = waiting
    const sockets = Array.from({ length: 32 }, () => openCall(world, busy['x-api-key']))
    await until(() => waiting.begun === begun + 32)
    const refused = await asked(busy)
    deepEqual([refused.status, refused.body?.error?.data?.code], [429, 'RATE_LIMITED'])
    ok(refused.headers.get('retry-after'))
    equal((await asked(key)).status, 200)
    for (const socket of sockets) socket.destroy()
    await until(() => waiting.ended === ended + 32)
    await until(() => true)
    equal((await asked(busy)).status, 200)
  })

  it('limits the calls per minute', async () => {
    const small = await startTestGateway({ options: { operations }, settings: { limits: { toolCallsPerMinute: 2 } } })
    const { userId } = await small.signIn()
    const headers = { 'x-api-key': (await small.apiKey(userId)).token }
    const answers = [
      await rpc(small, 'ping', {}, { headers }),
      await rpc(small, 'ping', {}, { headers }),
      await rpc(small, 'ping', {}, { headers }),
    ]
    deepEqual(
      answers.map(({ status }) => status),
      [200, 200, 429],
    )
    deepEqual(
      answers.map((answer) => answer.headers.get('ratelimit-remaining')),
      ['1', '0', '0'],
    )
    await small.stop()
  })

  describe('a batch', () => {
    const call = (id: number, name = 'get_agents') => ({ jsonrpc: '2.0', id, method: 'tools/call', params: { name } })
    const batchOf = (count: number) => Array.from({ length: count }, (_, id) => call(id))

    async function withKey(
      limits: Partial<Limits>,
      use: (send: Send, own: TestGateway) => Promise<void>,
    ): Promise<void> {
      const own = await startTestGateway({ options: { operations, tools: [waiting.tool] }, settings: { limits } })
      const { token } = await own.apiKey((await own.signIn()).userId)
      await use((body, headers = {}, signal) => sendBatch(own, token, body, headers, signal), own).finally(() =>
        own.stop(),
      )
    }

    it('counts each of its messages for the rate limit, and is refused as a whole above the limit', async () => {
      await withKey({ toolCallsPerMinute: 25 }, async (send) => {
        const first = await send(batchOf(20))
        deepEqual([first.status, first.headers.get('ratelimit-remaining')], [200, '5'])
        const second = await send(batchOf(6))
        equal(second.status, 429)
        ok(Number(second.headers.get('retry-after')) > 0)
        // The refused batch cost one call, as any request does.
        equal((await send(batchOf(4))).headers.get('ratelimit-remaining'), '0')
      })
    })

    it('counts each of its messages for the calls in flight until the batch ends', async () => {
      await withKey({ toolCallsAtOnce: 8 }, async (send) => {
        const { begun } = waiting
        const gone = new AbortController()
        const waits = Array.from({ length: 6 }, (_, id) => call(id, 'wait'))
        const open = send(waits, {}, gone.signal).catch(() => undefined)
        await until(() => waiting.begun === begun + 6)
        equal((await send(batchOf(3))).status, 429)
        equal((await send(batchOf(2))).status, 200)
        gone.abort()
        await open
        for (const since = Date.now(); (await send(batchOf(8))).status !== 200; await sleep(10))
          ok(Date.now() - since < 5_000)
      })
    })

    it('with more messages than the limit of calls in flight is refused, and the error has the limit', async () => {
      await withKey({}, async (send) => {
        const { status, text } = await send(batchOf(33))
        equal(status, 400)
        match(text, /"code":-32600/)
        match(text, /The batch has 33 messages, and at most 32 calls may be in flight\. Send smaller batches\./)
      })
    })

    it('adds one audit record for each call', async () => {
      await withKey({}, async (send, own) => {
        equal((await send(batchOf(12), { 'x-request-id': 'batch-1' })).status, 200)
        const calls = await own.storage.toolCalls.list({ requestId: 'batch-1', limit: 100 })
        deepEqual(
          calls.map(({ tool, outcome }) => `${tool} ${outcome}`),
          Array.from({ length: 12 }, () => 'get_agents SUCCESS'),
        )
      })
    })
  })

  it('refuses other host names if it listens on localhost', async () => {
    equal((await hostile(world)).split(' ')[1], '403')
  })
})

type Send = (
  body: unknown,
  headers?: Credentials,
  signal?: AbortSignal,
) => Promise<{ readonly status: number; readonly headers: Headers; readonly text: string }>

async function sendBatch(
  { url }: TestGateway,
  token: string,
  body: unknown,
  headers: Credentials,
  signal?: AbortSignal,
): ReturnType<Send> {
  const answer = await fetch(`${url}/api/mcp`, {
    method: 'POST',
    headers: {
      'x-api-key': token,
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      ...headers,
    },
    body: JSON.stringify(body),
    ...(signal && { signal }),
  })
  return { status: answer.status, headers: answer.headers, text: await answer.text() }
}

/** A call over a connection of its own, left open. */
function openCall({ gateway }: TestGateway, token: string) {
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'wait' } })
  const socket = connect(gateway.port, '127.0.0.1')
  socket.write(
    `POST /api/mcp HTTP/1.1\r\nHost: localhost\r\nX-API-Key: ${token}\r\nContent-Type: application/json\r\n` +
      `Accept: application/json, text/event-stream\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
  )
  return socket
}

function hostile({ gateway }: TestGateway): Promise<string> {
  const socket = connect(gateway.port, '127.0.0.1')
  socket.write('POST /api/mcp HTTP/1.1\r\nHost: evil.example\r\nContent-Length: 0\r\n\r\n')
  return new Promise((resolve) =>
    socket.once('data', (data) => {
      socket.destroy()
      resolve(String(data))
    }),
  )
}
