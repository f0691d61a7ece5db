/** The endpoint answers every invalid request according to the protocol, never with an internal failure, and changes nothing. */
import { deepEqual, ok } from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import fc from 'fast-check'
import { operations } from '../../../gateway/operations/operations.ts'
import { startTestGateway, type TestGateway } from '../../kit/runtime/testGateway.ts'

describe('a random request gets a response of the protocol and no internal error', () => {
  let world: TestGateway
  let key: string

  before(async () => {
    const limits = { toolCallsPerMinute: 1_000_000, failedLookupsPerMinute: 1_000_000 }
    world = await startTestGateway({ options: { operations }, settings: { limits } })
    key = (await world.apiKey((await world.signIn()).userId)).token
  })
  after(() => world.stop())

  const send = async (body: string, headers: Record<string, string>, query = '') => {
    const common = {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      'x-api-key': key,
    }
    const answer = await fetch(`${world.url}/api/mcp${query}`, {
      method: 'POST',
      headers: { ...common, ...headers },
      body,
    })
    const text = await answer.text()
    ok(answer.status < 500, `${answer.status} ${text}`)
    ok(answer.headers.get('x-request-id'))
    return { status: answer.status, text, type: answer.headers.get('content-type') ?? '' }
  }
  const changes = () => world.logs.filter((line) => line.msg === 'unexpected error' || 'problem' in line)

  const method = fc.oneof(
    fc.constantFrom(
      'initialize',
      'ping',
      'tools/list',
      'tools/call',
      'prompts/list',
      'resources/read',
      'server/discover',
    ),
    fc.constantFrom('subscriptions/listen', 'notifications/initialized', 'logging/setLevel', 'completion/complete'),
    fc.string(),
  )
  const id = fc.oneof(fc.integer(), fc.string(), fc.constant(null), fc.double(), fc.constant(undefined))
  const params = fc.oneof(
    fc.jsonValue({ maxDepth: 2 }),
    fc.record({ name: fc.oneof(fc.constantFrom('get_health', 'get_agents'), fc.string()), arguments: fc.jsonValue() }),
    fc.record({
      protocolVersion: fc.string(),
      capabilities: fc.object({ maxDepth: 1 }),
      clientInfo: fc.object({ maxDepth: 1 }),
    }),
    fc.record({
      _meta: fc.dictionary(
        fc.constantFrom('progressToken', 'io.modelcontextprotocol/protocolVersion', 'x'),
        fc.jsonValue(),
      ),
    }),
  )
  const message = fc.record({ jsonrpc: fc.constantFrom('2.0', '1.0', 2), id, method, params }, { requiredKeys: [] })

  it('as any JSON-RPC message', async () => {
    const version = fc.constantFrom('2025-11-25', '2026-07-28', '2025-03-26', '1999-01-01', '')
    await fc.assert(
      fc.asyncProperty(
        fc.oneof(message, fc.array(message, { maxLength: 3 }), fc.jsonValue()),
        version,
        async (body, told) => {
          const { status, text, type } = await send(
            JSON.stringify(body) ?? '',
            told === '' ? {} : { 'mcp-protocol-version': told },
          )
          if (type.startsWith('application/json') && text !== '') JSON.parse(text)
          ok([200, 202, 400, 404, 406, 415].includes(status), `${status} ${text}`)
        },
      ),
      { numRuns: 300 },
    )
    deepEqual(changes(), [])
  })

  it('with any scope', async () => {
    const scope = fc.webQueryParameters()
    const named = fc
      .tuple(fc.constantFrom('preset', 'run', 'x'), fc.string())
      .map(([name, value]) => `${name}=${encodeURIComponent(value)}`)
    await fc.assert(
      fc.asyncProperty(fc.oneof(scope, named), async (query) => {
        const { status } = await send('{"jsonrpc":"2.0","id":1,"method":"ping"}', {}, `?${query}`)
        ok([200, 400, 401, 404].includes(status), String(status))
      }),
      { numRuns: 200 },
    )
    deepEqual(changes(), [])
  })

  it('with any bytes as its body', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.string({ unit: 'binary' }),
        fc.constantFrom('application/json', 'text/plain', ''),
        async (body, type) => {
          await send(body, { 'content-type': type })
        },
      ),
      { numRuns: 100 },
    )
    deepEqual(changes(), [])
  })
})
