/** The audit of tool calls that users can read. */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { objectTypes, operations } from '../../../gateway/operations/operations.ts'
import { hashArguments } from '../../../gateway/operations/tools/argumentsHash.ts'
import type { ToolCallRecord } from '../../../spec/tools/audit.ts'
import { startTestGateway, type TestGateway } from '../../kit/runtime/testGateway.ts'
import { toolCall } from '../../kit/runtime/toolCall.ts'

const at = Date.UTC(2026, 10, 20, 12)
let world: TestGateway
let key: string

before(async () => {
  world = await startTestGateway({ options: { operations, objectTypes } })
  key = (await world.apiKey((await world.signIn()).userId)).token
  for (const call of calls) await world.storage.toolCalls.append(call)
})
after(() => world.stop())

const call = (n: number, own: Partial<ToolCallRecord>): ToolCallRecord =>
  toolCall({ at: at + n, argumentsSha256: hashArguments({ first: n }), requestId: `r${n}`, ...own })

const calls = [
  call(0, { source: 'TOOLS_API' }),
  call(1, { caller: 'key_1', outcome: 'PROTOCOL_ERROR', code: 'BAD_USER_INPUT' }),
  call(2, { source: 'MCP_PRESET', scopeId: 'mcpp_1', outcome: 'CANCELED' }),
  call(3, {
    caller: 'agent:agt_1@10.0.0.7',
    source: 'MCP_RUN',
    scopeId: 'run_1',
    tool: 'svc_ext_0a1b2c_search',
    serverId: 'mcps_1',
    rawName: 'Search the web!',
    outcome: 'TRANSPORT_ERROR',
    code: 'UNREACHABLE',
  }),
  call(4, { tool: null, outcome: 'PROTOCOL_ERROR', code: 'BAD_USER_INPUT' }),
]

interface Listed {
  readonly nodes: readonly { readonly requestId: string; readonly [field: string]: unknown }[]
  readonly pageInfo: { readonly hasNextPage: boolean; readonly hasPreviousPage: boolean; readonly endCursor: string }
}

async function ask(given: Record<string, unknown> = {}, headers: Record<string, string> = { 'x-api-key': key }) {
  const { body } = await world.graphql(
    `query ($caller: String, $tool: String, $scopeId: String, $serverId: String, $requestId: String,
      $outcomes: [McpToolCallOutcome!], $from: DateTime, $to: DateTime, $first: Int, $after: String) {
      mcpToolCalls(caller: $caller, tool: $tool, scopeId: $scopeId, serverId: $serverId, requestId: $requestId,
        outcomes: $outcomes, from: $from, to: $to, first: $first, after: $after) {
        nodes { at durationMs caller source scopeId tool serverId rawName argumentsSha256 requestId outcome code }
        pageInfo { hasNextPage hasPreviousPage endCursor }
      }
    }`,
    given,
    headers,
  )
  return { found: body.data?.mcpToolCalls as Listed | undefined, error: body.errors?.[0]?.extensions }
}

test('a call is shown with all its stored fields', async () => {
  const { found } = await ask({ requestId: 'r3' })
  assert.deepEqual(
    found?.nodes.map((node) => ({ ...node })),
    [
      {
        at: '2026-11-20T12:00:00.003Z',
        durationMs: 3.25,
        caller: 'agent:agt_1@10.0.0.7',
        source: 'MCP_RUN',
        scopeId: 'run_1',
        tool: 'svc_ext_0a1b2c_search',
        serverId: 'mcps_1',
        rawName: 'Search the web!',
        argumentsSha256: hashArguments({ first: 3 }),
        requestId: 'r3',
        outcome: 'TRANSPORT_ERROR',
        code: 'UNREACHABLE',
      },
    ],
  )
})

const questions: readonly [words: string, given: Record<string, unknown>, found: readonly string[]][] = [
  ['all calls, newest first', {}, ['r4', 'r3', 'r2', 'r1', 'r0']],
  ['a caller', { caller: 'key_1' }, ['r1']],
  ['a tool', { tool: 'svc_ext_0a1b2c_search' }, ['r3']],
  ['a run', { scopeId: 'run_1' }, ['r3']],
  ['an external server', { serverId: 'mcps_1' }, ['r3']],
  ['failed calls', { outcomes: ['TOOL_ERROR', 'PROTOCOL_ERROR', 'TRANSPORT_ERROR'] }, ['r4', 'r3', 'r1']],
  ['a time, in any zone', { from: '2026-11-20T13:00:00.001+01:00', to: '2026-11-20T12:00:00.003Z' }, ['r2', 'r1']],
  ['an unknown caller', { caller: 'nobody' }, []],
]
for (const [words, given, expected] of questions) {
  test(`the list can be filtered: ${words}`, async () => {
    const { found } = await ask(given)
    assert.deepEqual(
      found?.nodes.map(({ requestId }) => requestId),
      expected,
    )
  })
}

test('the list is returned in pages', async () => {
  const pages: (readonly string[])[] = []
  for (let cursor: string | null = null; ; ) {
    const { found } = await ask({ first: 2, after: cursor })
    pages.push(found?.nodes.map(({ requestId }) => requestId) ?? [])
    assert.equal(found?.pageInfo.hasPreviousPage, cursor !== null)
    if (!found?.pageInfo.hasNextPage) break
    cursor = found.pageInfo.endCursor
  }
  assert.deepEqual(pages, [['r4', 'r3'], ['r2', 'r1'], ['r0']])
})

describe('an invalid argument is refused with its field', () => {
  const wrong: readonly [field: string, given: Record<string, unknown>][] = [
    ['to', { from: '2026-11-20T12:00:00.000Z', to: '2026-11-20T12:00:00.000Z' }],
    ['from', { from: 'yesterday' }],
    ['after', { after: 'nonsense' }],
    ['after', { after: btoa('c1:run_1') }],
    ['first', { first: 101 }],
    ['caller', { caller: '' }],
    ['outcomes', { outcomes: [] }],
  ]
  for (const [field, given] of wrong) {
    test(JSON.stringify(given), async () => {
      const { error } = await ask(given)
      assert.equal(error?.code, 'BAD_USER_INPUT')
      assert.match(JSON.stringify(error?.details), new RegExp(`"field":"${field}`))
    })
  }
})

test('agents cannot read the calls', async () => {
  const { token } = await world.agent()
  const { found, error } = await ask({}, { authorization: `Bearer ${token}` })
  assert.equal(found, undefined)
  assert.equal(error?.code, 'FORBIDDEN')
})
