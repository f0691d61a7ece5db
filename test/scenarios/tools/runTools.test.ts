/**
 * A run may call the tools that were frozen at its creation, as its own principal, until it ends. The first tests are driven
 * by a coding CLI over the Agent Client Protocol, which finds the endpoint and its token where the agent's program puts them.
 */
import { deepEqual, equal, match, ok } from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { type BareAgent, reportWorktree, startBareAgent } from '../../kit/program/bareAgent.ts'
import { type Machine, startMachine } from '../../kit/program/machine.ts'
import { type Credentials, rpc } from '../../kit/program/mcp.ts'
import { beginRun, endRun, makePreset, mutate, startRun, untilRun } from '../../kit/program/runs.ts'
import { refusal, startTestProgram, type TestProgram } from '../../kit/program/testProgram.ts'

let stage: TestProgram
let machine: Machine
let bare: BareAgent
let worktrees: Record<string, string>

const tools = ['create_agent_run', 'get_run', 'get_run_log', 'cancel_run', 'get_mcp_tool_presets', 'get_agents']

before(async () => {
  stage = await startTestProgram()
  machine = await startMachine(stage, { branches: ['call', 'child', 'frozen'] })
  bare = await startBareAgent(stage, 'bare')
  worktrees = await reportWorktree(stage, bare, '/srv/bare', ['main', 'one', 'two', 'three', 'four', 'five', 'six'])
})
after(() => stage?.end())

const preset = (names: readonly string[], kind?: 'PLAN' | 'SESSION') => makePreset(stage, names, kind)
const begun = (branch: string, mcpPresetIds: readonly string[]) =>
  beginRun(stage, bare, worktrees[branch], mcpPresetIds)
const ended = (runId: string) => endRun(stage, bare, runId)

const as = (headers: Credentials, runId: string) => ({ headers, scope: `?run=${runId}` })
const listed = async (headers: Credentials, runId: string): Promise<string[]> => {
  const { body } = await rpc(stage, 'tools/list', {}, as(headers, runId))
  return body?.result.tools.map(({ name }: { name: string }) => name)
}
const call = async (headers: Credentials, runId: string, name: string, args: object = {}) =>
  (await rpc(stage, 'tools/call', { name, arguments: args }, as(headers, runId))).body
const words = async (...args: Parameters<typeof call>): Promise<string> => {
  const answer = await call(...args)
  return answer?.result?.content[0].text ?? answer?.error?.message ?? ''
}

test('a coding CLI can list and call the tools of its run, and calls of other tools are refused', async () => {
  const prompt = ['mcp list', 'say  | ', 'mcp call get_agents {"first": 1}', 'say  | ', 'mcp call get_health {}'].join(
    '\n',
  )
  const run = await startRun(stage.ask, {
    worktreeId: machine.worktree('call'),
    prompt,
    mcpPresetIds: [await preset(tools)],
  })
  const { result } = await untilRun(stage.ask, run.id, ['SUCCEEDED'])
  const [list = '', agents = '', other = ''] = (result as { text: string }).text.split(' | ')
  for (const name of tools) ok(list.includes(name), list)
  ok(!list.includes('get_health'), list)
  match(agents, /connectionStatus/)
  match(other, /The tool is unknown at this endpoint/)

  const { mcpToolCalls } = await stage.ask<{ mcpToolCalls: { nodes: Record<string, string>[] } }>(
    'query ($scopeId: String) { mcpToolCalls(scopeId: $scopeId) { nodes { caller source tool outcome } } }',
    { scopeId: run.id },
  )
  const caller = `agent:${machine.agentId}@127.0.0.1`
  deepEqual(mcpToolCalls.nodes, [
    { caller, source: 'MCP_RUN', tool: null, outcome: 'PROTOCOL_ERROR' },
    { caller, source: 'MCP_RUN', tool: 'get_agents', outcome: 'SUCCESS' },
  ])
})

test('a run that a coding CLI starts is a child of its run, and cannot have tools that its parent lacks', async () => {
  const mine = await preset(['create_agent_run', 'get_run'])
  const more = await preset(['create_agent_run', 'get_run', 'cancel_run'])
  const start = (mcpPresetIds: string[]) =>
    `mcp call create_agent_run ${JSON.stringify({ worktreeId: machine.worktree('child'), kind: 'SESSION', task: { command: 'true' }, mcpPresetIds })}`
  const prompt = [start([more]), 'say  | ', start([mine])].join('\n')
  const parent = await startRun(stage.ask, { worktreeId: machine.worktree('child'), prompt, mcpPresetIds: [mine] })
  const { result } = await untilRun(stage.ask, parent.id, ['SUCCEEDED'])
  const [refused = '', made = ''] = (result as { text: string }).text.split(' | ')
  match(refused, /FORBIDDEN: .*cancel_run/)
  const childId = /run_[0-9a-z]{26}/.exec(made)?.[0] ?? ''
  const { run } = await stage.ask<{
    run: { parentRunId: string; toolGrant: { tools: { nodes: { name: string }[] } } }
  }>('query ($id: ID!) { run(id: $id) { parentRunId toolGrant { tools { nodes { name } } } } }', { id: childId })
  equal(run.parentRunId, parent.id)
  deepEqual(
    run.toolGrant.tools.nodes.map(({ name }) => name),
    ['create_agent_run', 'get_run'],
  )
})

test('a run without presets has no tools', async () => {
  const { runId, token } = await begun('one', [])
  deepEqual(await listed(token, runId), [])
  await ended(runId)
})

test('an edit or a deletion of its preset does not change the tools of a run', async () => {
  const presetId = await preset(['get_run', 'get_agents'])
  const { runId, token } = await begun('two', [presetId])
  await mutate(
    stage.ask,
    'updateMcpToolPreset',
    { presetId, tools: [{ source: 'BUILTIN', name: 'cancel_run' }] },
    'preset { id }',
  )
  deepEqual(await listed(token, runId), ['get_agents', 'get_run'])
  match(await words(token, runId, 'cancel_run', { runId }), /unknown at this endpoint/)
  await mutate(stage.ask, 'deleteMcpToolPreset', { presetId }, 'presetId')
  match(await words(token, runId, 'get_agents'), /connectionStatus/)
  await ended(runId)
})

test('only the agent of a run and the token of the run have access to its tools, and only until the run ends', async () => {
  const presetId = await preset(['get_agents'])
  const first = await begun('three', [presetId])
  const second = await begun('four', [presetId])
  const agent = { authorization: `Bearer ${bare.credential}` }
  const other = { authorization: `Bearer ${(await startBareAgent(stage, 'stranger')).credential}` }
  const asked = async (headers: Credentials, runId: string) => {
    const { status, body } = await rpc(stage, 'tools/list', {}, as(headers, runId))
    return status === 200 ? 'let in' : `${status} ${body?.error?.data?.code}`
  }
  equal(await asked(first.token, first.runId), 'let in')
  equal(await asked(agent, first.runId), 'let in')
  equal(await asked(first.token, second.runId), '403 RUN_MCP_FORBIDDEN')
  equal(await asked(other, first.runId), '403 RUN_MCP_FORBIDDEN')
  equal(await asked({ 'x-api-key': stage.key }, first.runId), '401 TOOL_API_UNAUTHORIZED')
  await ended(first.runId)
  equal(await asked(first.token, first.runId), '401 TOOL_API_UNAUTHORIZED')
  equal(await asked(agent, first.runId), '403 RUN_MCP_FORBIDDEN')
  equal(await asked(second.token, second.runId), 'let in')
  await ended(second.runId)
})

test('a run can cancel a run that it has started, but neither itself nor another run', async () => {
  const presetId = await preset(['create_agent_run', 'cancel_run'])
  const { runId, token } = await begun('five', [presetId])
  const stranger = await startRun(stage.ask, { worktreeId: worktrees.six, command: 'true' })
  for (const id of [runId, stranger.id])
    match(await words(token, runId, 'cancel_run', { runId: id }), /^FORBIDDEN: .*only on runs that they have started/)
  const made = await call(token, runId, 'create_agent_run', {
    worktreeId: worktrees.five,
    kind: 'SESSION',
    task: { command: 'true' },
  })
  const child = made?.result.structuredContent.run.id
  const canceled = await call(token, runId, 'cancel_run', { runId: child })
  ok(['CANCELED', 'CANCELING'].includes(canceled?.result.structuredContent.run.status))
  await ended(runId)
})

test('a run is not created with a preset that does not exist or is for another kind', async () => {
  const input = (mcpPresetIds: readonly string[]) => ({
    worktreeId: worktrees.six,
    kind: 'SESSION',
    task: { command: 'true' },
    mcpPresetIds,
  })
  const made = (ids: readonly string[]) => mutate(stage.ask, 'createAgentRun', input(ids), 'run { id }')
  const gone = await refusal(made(['mtp_01h455vb4pex5vsknk084sn02q']))
  equal(gone.code, 'NOT_FOUND')
  const wrong = await refusal(made([await preset(['get_agents'], 'PLAN')]))
  equal(wrong.code, 'FAILED_PRECONDITION')
  match(wrong.message, /is for PLAN runs/)
})
