/** Full-text search over GraphQL, in the whole program with the embedded database. */

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { type BareAgent, reportWorktree, startBareAgent } from '../../kit/program/bareAgent.ts'
import { commandStep } from '../../kit/program/commandStep.ts'
import { graphql } from '../../kit/program/graphql.ts'
import { enrolledDevice } from '../../kit/program/objects/devices.ts'
import { makeWorkflow, mutate, startRun } from '../../kit/program/runs.ts'
import { type Ask, asWhom, refusal, startTestProgram, type TestProgram } from '../../kit/program/testProgram.ts'

interface Hit {
  readonly kind: string
  readonly id: string
  readonly title: string
  readonly excerpt: string | null
  readonly status: string
  readonly match: string
}
interface Found {
  readonly hits: readonly Hit[]
  readonly hasMore: boolean
}

const document =
  'query ($text: String!, $kinds: [SearchKind!], $first: Int) { globalSearch(text: $text, kinds: $kinds, first: $first) { hits { kind id title excerpt status match } hasMore } }'

async function search(ask: Ask, text: unknown, more: Readonly<Record<string, unknown>> = {}): Promise<Found> {
  return (await ask<{ globalSearch: Found }>(document, { text, ...more })).globalSearch
}

let stage: TestProgram
let agent: BareAgent
let worktrees: Record<string, string>

before(async () => {
  stage = await startTestProgram({ env: { LIMIT_GRAPHQL_POINTS_PER_5_MINUTES: '50000' } })
  agent = await startBareAgent(stage, 'build-mac-7')
  worktrees = await reportWorktree(stage, agent, '/srv/src/orders', ['main', 'feature/checkout'])
})
after(() => stage?.end())

const found = async (text: string, more: Readonly<Record<string, unknown>> = {}) =>
  (await search(stage.ask, text, more)).hits.map(({ kind, title, status, match }) => [kind, title, status, match])

test('agents, codebases and worktrees are found by name, host, path and branch', async () => {
  assert.deepEqual(await found('build-mac-7'), [['AGENT', 'build-mac-7', 'CONNECTED', 'TITLE']])
  assert.deepEqual(await found('mac'), [['AGENT', 'build-mac-7', 'CONNECTED', 'WORDS']])
  assert.deepEqual(await found('feature/check'), [['WORKTREE', 'feature/checkout', 'PRESENT', 'WORDS']])
  assert.deepEqual(await found('src/orders', { kinds: ['CODEBASE'] }), [['CODEBASE', 'orders', 'PRESENT', 'WORDS']])
  assert.deepEqual(await found('odrers', { kinds: ['CODEBASE', 'AGENT'] }), [])
  assert.deepEqual(await found('chekout'), [['WORKTREE', 'feature/checkout', 'PRESENT', 'SIMILAR']])
})

test('a new run is found by the next request, with its current status', async () => {
  const worktreeId = worktrees['feature/checkout']
  await mutate(stage.ask, 'pauseWorktreeQueue', { worktreeId }, 'worktreeQueue { id }')
  for (let round = 0; round < 10; round++) {
    const title = `Round number${round} of zebras`
    const run = await startRun(stage.ask, { worktreeId, command: 'true', title })
    const { hits: all } = await search(stage.ask, `number${round} zebra`)
    const hits = all.filter(({ match }) => match === 'WORDS')
    assert.deepEqual(
      hits.map(({ id, status }) => [id, status]).sort(),
      [
        [run.id, 'QUEUED'],
        [hits.find(({ kind }) => kind === 'SESSION')?.id, 'QUEUED'],
      ].sort(),
    )
    await mutate(stage.ask, 'cancelRun', { runId: run.id }, 'run { id }')
    assert.equal((await search(stage.ask, run.id)).hits[0]?.status, 'CANCELED')
  }
  const few = await search(stage.ask, 'zebras', { kinds: ['RUN'], first: 3 })
  assert.deepEqual(
    [few.hits.map(({ title }) => title), few.hasMore],
    [[9, 8, 7].map((round) => `Round number${round} of zebras`), true],
  )
  assert.equal((await search(stage.ask, 'zebras', { kinds: ['RUN'], first: 10 })).hasMore, false)
})

test('a workflow is found by its name and its steps but not by its commands, and an integration until it is deleted', async () => {
  await makeWorkflow(stage.ask, {
    name: 'Nightly upload',
    steps: [commandStep('notarize', 'curl -u secretword')],
  })
  assert.deepEqual(await found('notarize'), [['WORKFLOW', 'Nightly upload', 'PUBLISHED', 'WORDS']])
  assert.deepEqual(await found('secretword'), [])
  const input = { name: 'Hooks of Giraffe', provider: 'GITHUB' }
  const made = await mutate<{ secret: string; integration: { id: string } }>(
    stage.ask,
    'createIntegration',
    input,
    'secret integration { id }',
  )
  assert.deepEqual(await found('giraffe hooks'), [['INTEGRATION', 'Hooks of Giraffe', 'ACTIVE', 'WORDS']])
  assert.deepEqual(await found(made.secret), [])
  await mutate(stage.ask, 'deleteIntegration', { integrationId: made.integration.id }, 'integration { id }')
  assert.deepEqual([await found('giraffe'), await found(made.integration.id)], [[], []])
})

test('a device is found by its name and model, not by its UDID, and not once it is removed', async () => {
  const deviceId = await enrolledDevice(stage)
  const { device } = await stage.ask<{ device: { udid: string; serial: string } }>(
    'query ($id: ID!) { device(id: $id) { udid serial } }',
    { id: deviceId },
  )
  await mutate(stage.ask, 'renameDevice', { deviceId, displayName: 'Ostrich' }, 'device { id }')
  assert.deepEqual(await found('ostrich'), [['DEVICE', 'Ostrich', 'ENROLLED', 'TITLE']])
  assert.deepEqual([await found(device.udid), await found(device.serial)], [[], []])
  await mutate(stage.ask, 'removeDevice', { deviceId }, 'device { id }')
  assert.deepEqual(await found('ostrich'), [])
})

test('accounts and credentials are not found', async () => {
  for (const text of ['ada@example.com', 'Ada', 'script', stage.key]) assert.deepEqual(await found(text), [], text)
  const { viewer } = await stage.ask<{ viewer: { userId: string } }>('{ viewer { userId } }')
  assert.deepEqual(await found(viewer.userId), [])
})

test('any search gets an answer, or a refusal that names the field', async () => {
  const odd = [
    ...[
      "'",
      '"',
      '\\',
      '&|!:*()',
      "'; drop table actor; --",
      '%',
      '_',
      '$1',
      '<->',
      '🦊',
      '日本語',
      '\u0301',
      '=run',
      'x'.repeat(200),
    ],
    ...['a&b|c', 'foo:*', "it's", 'ﷺ', '🏳️‍🌈'.repeat(20), '{"a":1}', 'orders\n\tmain'],
  ]
  for (const text of odd) assert.ok(Array.isArray((await search(stage.ask, text)).hits), text)
  const refused: readonly (readonly [field: string, variables: Readonly<Record<string, unknown>>])[] = [
    ['text', { text: '' }],
    ['text', { text: ' \n\t ' }],
    ['text', { text: 'x'.repeat(10_000) }],
    ['text', { text: 'a\0b' }],
    ['text', { text: 'a\ud800' }],
    ['kinds', { text: 'a', kinds: [] }],
    ['first', { text: 'a', first: 0 }],
    ['first', { text: 'a', first: 101 }],
  ]
  for (const [field, variables] of refused) {
    const { code, message, details } = await refusal(stage.ask(document, variables))
    assert.deepEqual(
      [code, details.field],
      ['BAD_USER_INPUT', field],
      `${JSON.stringify(variables).slice(0, 60)}: ${message}`,
    )
  }
  for (const kinds of [['USER'], ['run'], ['NONE']]) {
    assert.equal((await refusal(stage.ask(document, { text: 'a', kinds }))).code, 'BAD_USER_INPUT')
  }
})

test('an agent and a caller without a credential cannot search', async () => {
  const asAgent = asWhom(stage.url, { authorization: `Bearer ${agent.credential}` })
  assert.equal((await refusal(asAgent(document, { text: 'orders' }))).code, 'FORBIDDEN')
  await assert.rejects(graphql(stage.url, undefined, document, { text: 'orders' }))
})

test('apps, presets and external servers are found by their names, and a deleted server is not found', async () => {
  const app = { bundleIdentifier: 'org.example.lighthouse', name: 'Lighthouse' }
  await mutate(stage.ask, 'createApp', app, 'app { id }')
  const server = { name: 'Harbour tools', url: 'https://mcp.harbour.example/mcp' }
  const made = await mutate<{ mcpServer: { id: string } }>(stage.ask, 'createMcpServer', server, 'mcpServer { id }')
  const preset = { name: 'Night watch', kind: 'SESSION', toolNames: ['get_agents'] }
  await mutate(stage.ask, 'createMcpToolPreset', preset, 'preset { id }', 'McpToolPresetInput')
  assert.deepEqual(await found('lighthouse'), [['APP', 'Lighthouse', 'ACTIVE', 'TITLE']])
  assert.deepEqual(await found('org.example.light'), [['APP', 'Lighthouse', 'ACTIVE', 'WORDS']])
  assert.deepEqual(await found('harbour.example'), [['MCP_SERVER', 'Harbour tools', 'UNKNOWN', 'WORDS']])
  assert.deepEqual(await found('night wat', { kinds: ['MCP_TOOL_PRESET'] }), [
    ['MCP_TOOL_PRESET', 'Night watch', 'ACTIVE', 'WORDS'],
  ])
  assert.deepEqual(await found('nigth watch', { kinds: ['MCP_TOOL_PRESET'] }), [
    ['MCP_TOOL_PRESET', 'Night watch', 'ACTIVE', 'SIMILAR'],
  ])
  await mutate(stage.ask, 'deleteMcpServer', { serverId: made.mcpServer.id }, 'mcpServer { id }')
  assert.deepEqual(await found('harbour'), [])
})
