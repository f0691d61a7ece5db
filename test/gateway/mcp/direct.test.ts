/** Requests that are answered without the SDK have the SDK's answer. Each request is sent as it is, and with a field that only the SDK reads. */
import { deepEqual, equal, match } from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import fc from 'fast-check'
import { operations } from '../../../gateway/operations/operations.ts'
import { type Credentials, modern, rpc } from '../../kit/program/mcp.ts'
import { startTestGateway, type TestGateway } from '../../kit/runtime/testGateway.ts'

const eras = { '2025-11-25': rpc, '2026-07-28': modern } as const

describe('a request gets the same response without the SDK as from the SDK', () => {
  let world: TestGateway
  let headers: Credentials

  before(async () => {
    const limits = { toolCallsPerMinute: 1_000_000 }
    world = await startTestGateway({ options: { operations }, settings: { limits } })
    const { userId } = await world.signIn()
    headers = { 'x-api-key': (await world.apiKey(userId)).token }
  })
  after(() => world.stop())

  type Params = Readonly<Record<string, unknown>>
  const both = async (era: keyof typeof eras, method: string, params: Params) => {
    const plain = await eras[era](world, method, params, { headers })
    const unusual = await eras[era](world, method, { ...params, _meta: { 'example.com/note': 1 } }, { headers })
    return { plain, unusual }
  }

  const cases: readonly (readonly [what: string, method: string, params: Params])[] = [
    ['tools/list', 'tools/list', {}],
    ['a call', 'tools/call', { name: 'get_agents', arguments: { first: 2 } }],
    ['a call without arguments', 'tools/call', { name: 'get_health' }],
    [
      'a call for an unknown object',
      'tools/call',
      { name: 'get_agent', arguments: { id: 'agt_01h455vb4pex5vsknk084sn02q' } },
    ],
    ['a wrong argument', 'tools/call', { name: 'get_agents', arguments: { first: 'x' } }],
    ['an unknown argument', 'tools/call', { name: 'get_agents', arguments: { a: { b: [] } } }],
    ['an unknown tool', 'tools/call', { name: 'get_nothing', arguments: {} }],
    ['arguments that are not an object', 'tools/call', { name: 'get_agents', arguments: [1] }],
    ['a name that is not a text', 'tools/call', { name: 7 }],
    ['a cursor', 'tools/list', { cursor: 'x' }],
    ['another method', 'ping', {}],
    ['an unknown method', 'tools/burn', {}],
  ]
  for (const era of Object.keys(eras) as (keyof typeof eras)[]) {
    for (const [what, method, params] of cases) {
      it(`${what} (${era})`, async () => {
        const { plain, unusual } = await both(era, method, params)
        deepEqual([plain.status, plain.body], [unusual.status, unusual.body])
      })
    }

    it(`a call with random arguments (${era})`, async () => {
      const value = fc.jsonValue({ maxDepth: 2 })
      const field = fc.constantFrom('first', 'after', 'last', 'before', 'statuses', 'other')
      await fc.assert(
        fc.asyncProperty(fc.dictionary(field, value, { maxKeys: 3 }), async (given) => {
          const { plain, unusual } = await both(era, 'tools/call', { name: 'get_agents', arguments: given })
          deepEqual([plain.status, plain.body], [unusual.status, unusual.body])
        }),
        { numRuns: 50 },
      )
    })
  }

  it('a call gets JSON without the SDK, and a stream from the SDK', async () => {
    const { plain, unusual } = await both('2025-11-25', 'tools/call', { name: 'get_health' })
    equal(plain.headers.get('content-type'), 'application/json')
    match(unusual.headers.get('content-type') ?? '', /^text\/event-stream/)
  })
})
