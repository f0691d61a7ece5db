/** Tools of real other servers, as clients find them under a preset and as runs have them frozen. */
import { deepEqual, equal, match, ok } from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { type BareAgent, reportWorktree, startBareAgent } from '../../kit/program/bareAgent.ts'
import { type Credentials, modern, rpc } from '../../kit/program/mcp.ts'
import { beginRun, makePreset, mutate } from '../../kit/program/runs.ts'
import { type EverythingServer, startEverything } from '../../kit/program/servers/everything.ts'
import { type ScriptedServer, startScripted, text, tool } from '../../kit/program/servers/scriptedServer.ts'
import { refusal, startTestProgram, type TestProgram } from '../../kit/program/testProgram.ts'

let stage: TestProgram
let bare: BareAgent
let worktrees: Record<string, string>
let key: Credentials
let everything: EverythingServer
let scripted: ScriptedServer
const servers: Record<string, string> = {}

const branches = ['main', 'one', 'two', 'three', 'four']

before(async () => {
  ;[everything, scripted] = await Promise.all([
    startEverything('STREAMABLE_HTTP'),
    startScripted([tool('echo'), tool('get_health')]),
  ])
  stage = await startTestProgram({ env: { OUTBOUND_ALLOW: '127.0.0.1' } })
  bare = await startBareAgent(stage, 'bare')
  worktrees = await reportWorktree(stage, bare, '/srv/bare', branches)
  key = { 'x-api-key': stage.key }
  for (const [name, url] of [
    ['everything', everything.url],
    ['scripted', scripted.url],
  ] as const) {
    const made = await mutate<{ mcpServer: { id: string } }>(
      stage.ask,
      'createMcpServer',
      { name, url },
      'mcpServer { id }',
    )
    servers[name] = made.mcpServer.id
  }
})
after(async () => {
  await stage?.end()
  await everything?.stop()
  await scripted?.stop()
})

const of = (server: string, name: string) => ({ serverId: servers[server] ?? '', name })
const aliases = async (scope: string, headers = key): Promise<string[]> => {
  const { body } = await rpc(stage, 'tools/list', {}, { headers, scope })
  return body?.result.tools.map(({ name }: { name: string }) => name)
}
const call = async (scope: string, name: string | undefined, args: object, headers = key) =>
  (await modern(stage, 'tools/call', { name, arguments: args }, { headers, scope })).body

test('a preset has its external tools and the built-in ones, each external tool with an alias of its own', async () => {
  const presetId = await makePreset(stage, [
    'get_health',
    of('everything', 'echo'),
    of('scripted', 'echo'),
    of('scripted', 'get_health'),
  ])
  const names = await aliases(`?preset=${presetId}`)
  equal(names.length, 4)
  deepEqual(names, [...names].sort())
  equal(new Set(names).size, 4)
  for (const name of names.filter((one) => one !== 'get_health')) match(name, /^svc_ext_[0-9a-f]+_(echo|get_health)$/)
  const said = await Promise.all(
    names.map(
      async (name) =>
        (await call(`?preset=${presetId}`, name, name === 'get_health' ? {} : { message: 'hi', text: 'hi' }))?.result,
    ),
  )
  deepEqual(said.map(({ content }) => content[0].text).sort(), ['Echo: hi', 'hi', 'hi', '{"value":"ok"}'])

  await mutate(stage.ask, 'updateMcpServer', { serverId: servers.scripted, name: 'renamed' }, 'mcpServer { id }')
  deepEqual(await aliases(`?preset=${presetId}`), names, 'another name of the server renames no tool')
  deepEqual(
    await aliases(''),
    (await aliases('')).filter((name) => !name.startsWith('svc_ext_')),
    'only under a preset or a run',
  )
})

test('the content, structured results, errors and progress of an external server are passed on to the client', async () => {
  const presetId = await makePreset(stage, [
    of('everything', 'get-structured-content'),
    of('everything', 'trigger-long-running-operation'),
    of('scripted', 'echo'),
  ])
  const scope = `?preset=${presetId}`
  const [echo, structured, long] = (await aliases(scope)).sort((a, b) => a.slice(29).localeCompare(b.slice(29)))
  const weather = await call(scope, structured, { location: 'New York' })
  ok(weather?.result.structuredContent.conditions, JSON.stringify(weather))
  scripted.answer = () => ({ ...text('it did not work'), isError: true })
  const failed = await call(scope, echo, { text: 'x' })
  deepEqual([failed?.result.isError, failed?.result.content[0].text], [true, 'it did not work'])
  scripted.answer = ({ arguments: given }) => text(String(given.text ?? ''))
  const params = { name: long, arguments: { duration: 1, steps: 3 }, _meta: { progressToken: 'p' } }
  const { notifications, body } = await rpc(stage, 'tools/call', params, { headers: key, scope })
  ok(
    notifications.some(
      ({ method, params: told }) => method === 'notifications/progress' && told?.progressToken === 'p',
    ),
  )
  match(body?.result.content[0].text, /completed/)

  const { mcpToolCalls } = await stage.ask<{ mcpToolCalls: { nodes: Record<string, string>[] } }>(
    'query ($scopeId: String) { mcpToolCalls(scopeId: $scopeId) { nodes { tool serverId rawName outcome } } }',
    { scopeId: presetId },
  )
  deepEqual(
    mcpToolCalls.nodes.map(({ rawName, outcome }) => [rawName, outcome]),
    [
      ['trigger-long-running-operation', 'SUCCESS'],
      ['echo', 'TOOL_ERROR'],
      ['get-structured-content', 'SUCCESS'],
    ],
  )
  equal(mcpToolCalls.nodes[1]?.serverId, servers.scripted)
})

test('a run keeps its tools as they were: calls are refused if the tool has changed or its server has moved since', async () => {
  const presetId = await makePreset(stage, [of('scripted', 'echo')])
  const { runId, token } = await beginRun(stage, bare, worktrees.one, [presetId])
  const scope = `?run=${runId}`
  const [alias] = await aliases(scope, token)
  equal((await call(scope, alias, { text: 'before' }, token))?.result.content[0].text, 'before')

  await mutate(
    stage.ask,
    'setMcpServerHeaders',
    { serverId: servers.scripted, set: [{ name: 'x-key', value: 'rotated' }] },
    'mcpServer { id }',
  )
  equal((await call(scope, alias, { text: 'rotated' }, token))?.result.content[0].text, 'rotated')
  equal(scripted.seen.at(-1)?.headers['x-key'] ?? scripted.seen.at(-2)?.headers['x-key'], 'rotated')

  scripted.tools = [tool('echo', { inputSchema: { type: 'object', properties: { more: { type: 'string' } } } })]
  await mutate(stage.ask, 'refreshMcpServer', { serverId: servers.scripted }, 'mcpServer { id }')
  const changed = await call(scope, alias, { text: 'x' }, token)
  equal(changed?.result.isError, true)
  match(changed?.result.content[0].text, /^TOOL_CHANGED: /)
  const { body } = await rpc(stage, 'tools/list', {}, { headers: token, scope })
  deepEqual(body?.result.tools[0].inputSchema.properties, { text: { type: 'string' } }, 'the list is the frozen one')
  scripted.tools = [tool('echo')]
  await mutate(stage.ask, 'refreshMcpServer', { serverId: servers.scripted }, 'mcpServer { id }')

  await mutate(
    stage.ask,
    'updateMcpServer',
    { serverId: servers.scripted, url: scripted.sseUrl, transport: 'SSE' },
    'mcpServer { id }',
  )
  const moved = await call(scope, alias, { text: 'x' }, token)
  match(moved?.result.content[0].text, /^ENDPOINT_CHANGED: /)
  await mutate(
    stage.ask,
    'updateMcpServer',
    { serverId: servers.scripted, url: scripted.url, transport: 'STREAMABLE_HTTP' },
    'mcpServer { id }',
  )
})

test('a run is not created if a selected tool no longer exists or its server is unavailable', async () => {
  const gone = await makePreset(stage, [of('scripted', 'echo')])
  const asked = (presetId: string) =>
    refusal(
      mutate(
        stage.ask,
        'createAgentRun',
        { worktreeId: worktrees.two, kind: 'SESSION', task: { command: 'true' }, mcpPresetIds: [presetId] },
        'run { id }',
      ),
    )
  scripted.tools = [tool('other')]
  const first = await asked(gone)
  equal(first.code, 'FAILED_PRECONDITION')
  match(first.message, /no longer advertises echo/)
  scripted.tools = [tool('echo')]

  const away = await makePreset(stage, [of('everything', 'echo')])
  await everything.stop()
  const second = await asked(away)
  equal(second.code, 'FAILED_PRECONDITION')
  match(second.message, /everything cannot be used now/)
  const { runs } = await stage.ask<{ runs: { totalCount: number } }>(
    'query ($id: ID) { runs(worktreeId: $id) { totalCount } }',
    { id: worktrees.two },
  )
  equal(runs.totalCount, 0)
})
