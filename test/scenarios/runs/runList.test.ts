/** The list of runs is filtered and ordered by the server, as a table needs it. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { commandStep } from '../../kit/program/commandStep.ts'
import { git, type Machine, startMachine } from '../../kit/program/machine.ts'
import { makeWorkflow, mutate, startRun, startWorkflow, untilRun } from '../../kit/program/runs.ts'
import { refusal, startTestProgram, type TestProgram } from '../../kit/program/testProgram.ts'
import { until } from '../../kit/program/until.ts'

let stage: TestProgram
let machine: Machine
let repositoryId: string
let userId: string
/** The runs by their names in this test. */
const ids: Record<string, string> = {}

before(async () => {
  stage = await startTestProgram()
  machine = await startMachine(stage, { branches: ['menu-fix', 'other'] })
  await git(machine.repository, 'remote', 'add', 'origin', 'https://github.com/acme/shop.git')
  repositoryId = await until('the remote to be reported', async () => {
    const { codebase } = await stage.ask<{ codebase: { repository: { id: string } | null } }>(
      'query ($id: ID!) { codebase(id: $id) { repository { id } } }',
      { id: machine.codebaseId },
    )
    return codebase.repository?.id
  })
  userId = (await stage.ask<{ viewer: { id: string } }>('{ viewer { id } }')).viewer.id
  const run = async (name: string, branch: string, input: object, wanted: string) => {
    const { id } = await startRun(stage.ask, { worktreeId: machine.worktree(branch), ...input })
    ids[name] = id
    await untilRun(stage.ask, id, [wanted])
  }
  await run('prompt', 'menu-fix', { prompt: 'say Très bien', title: 'Greet', cli: 'coder' }, 'SUCCEEDED')
  await run('command', 'other', { command: 'exit 3', title: 'Fails' }, 'FAILED')
  const workflowId = await makeWorkflow(stage.ask, { name: 'Nightly', steps: [commandStep('compile', 'echo webpack')] })
  const { id } = await startWorkflow(stage.ask, workflowId, machine.worktree('other'))
  ids.workflow = id
  await untilRun(stage.ask, id, ['SUCCEEDED'])
})
after(() => stage?.end())

type Filter = Readonly<Record<string, unknown>>

async function list(filter: Filter): Promise<readonly string[]> {
  const variables = Object.entries(filter)
  const types: Readonly<Record<string, string>> = {
    text: 'String',
    cli: 'String',
    requestedBy: 'ID',
    repositoryId: 'ID',
    kind: 'RunKind',
    kinds: '[RunKind!]',
    statuses: '[RunStatus!]',
    orderBy: 'RunOrderInput',
    first: 'Int',
    after: 'String',
  }
  const { runs } = await stage.ask<{ runs: { totalCount: number; nodes: { id: string }[] } }>(
    `query (${variables.map(([name]) => `$${name}: ${types[name]}`).join(', ')}) {
      runs(${variables.map(([name]) => `${name}: $${name}`).join(', ')}) { totalCount nodes { id } } }`,
    filter,
  )
  if (filter.first === undefined) assert.equal(runs.totalCount, runs.nodes.length)
  return runs.nodes.map(({ id }) => Object.keys(ids).find((name) => ids[name] === id) ?? id)
}

test('a text finds runs by words of the title, prompt, commands, number, branch, agent and repository', async () => {
  assert.deepEqual(await list({ text: 'GREET' }), ['prompt'])
  assert.deepEqual(await list({ text: 'bien tres' }), ['prompt'])
  assert.deepEqual(await list({ text: 'exit' }), ['command'])
  assert.deepEqual(await list({ text: 'webp' }), ['workflow'])
  assert.deepEqual(await list({ text: 'greet menu-fix' }), ['prompt'])
  assert.deepEqual(await list({ text: 'menu exit' }), [])
  assert.deepEqual(await list({ text: 'acme/shop' }), ['workflow', 'command', 'prompt'])
  const { agent } = await stage.ask<{ agent: { name: string } }>('query ($id: ID!) { agent(id: $id) { name } }', {
    id: machine.agentId,
  })
  assert.deepEqual(await list({ text: `fails ${agent.name}` }), ['command'])
  assert.deepEqual(await list({ text: ids.command ?? '' }), ['command'])
  assert.deepEqual(await list({ text: '?!' }), [])
})

test('runs are filtered by requester, coding CLI, repository and several kinds, also together with other filters', async () => {
  const requestedBy = userId
  assert.deepEqual(await list({ requestedBy }), ['workflow', 'command', 'prompt'])
  assert.deepEqual(await list({ requestedBy: ids.prompt }), [])
  assert.deepEqual(await list({ cli: 'coder' }), ['prompt'])
  assert.deepEqual(await list({ cli: 'code' }), [])
  assert.deepEqual(await list({ repositoryId }), ['workflow', 'command', 'prompt'])
  assert.deepEqual(await list({ kinds: ['WORKFLOW', 'PLAN'] }), ['workflow'])
  assert.deepEqual(await list({ kinds: ['WORKFLOW', 'SESSION'], kind: 'SESSION' }), ['command', 'prompt'])
  assert.deepEqual(await list({ repositoryId, requestedBy, kinds: ['SESSION'], statuses: ['FAILED'], text: 'fail' }), [
    'command',
  ])
  const { codebaseRepositoryPreparations: other } = await mutate<{
    codebaseRepositoryPreparations: { repositoryId: string }
  }>(
    stage.ask,
    'saveCodebaseRepositoryPreparations',
    { repository: { name: 'github.com/acme/other' }, preparations: [] },
    'codebaseRepositoryPreparations { repositoryId }',
  )
  assert.deepEqual(await list({ repositoryId: other.repositoryId }), [])
})

test('a requester of a kind that cannot request runs is refused, and the error names the field', async () => {
  const { code, message } = await refusal(list({ requestedBy: machine.worktree('other') }))
  assert.equal(code, 'BAD_USER_INPUT')
  assert.match(message, /requestedBy.*a user, an API key, a run or a schedule/)
})

test('the order by end lists only ended runs, and its cursors continue the list', async () => {
  const { id } = await startRun(stage.ask, { worktreeId: machine.worktree('menu-fix'), command: 'sleep 60' })
  await untilRun(stage.ask, id, ['RUNNING'])
  const orderBy = { field: 'ENDED_AT', direction: 'ASC' }
  assert.deepEqual(await list({ orderBy }), ['prompt', 'command', 'workflow'])
  assert.deepEqual(await list({ orderBy, statuses: ['FAILED', 'RUNNING'] }), ['command'])
  const page =
    'query ($after: String) { runs(first: 2, after: $after, orderBy: { field: ENDED_AT, direction: ASC }) { nodes { id } pageInfo { endCursor } } }'
  type Page = { runs: { nodes: { id: string }[]; pageInfo: { endCursor: string } } }
  const { runs } = await stage.ask<Page>(page)
  const next = await stage.ask<Page>(page, { after: runs.pageInfo.endCursor })
  assert.deepEqual(next.runs.nodes, [{ id: ids.workflow }])
  const early = await stage.ask<{ run: object }>('query ($id: ID!) { run(id: $id) { durationMs queueWaitMs } }', { id })
  assert.equal((early.run as { durationMs: number | null }).durationMs, null)
  await mutate(stage.ask, 'cancelRun', { runId: id }, 'run { id }')
})

test('a run shows its CLI, its model, its wait and its duration', async () => {
  interface Shown {
    cli: string | null
    model: string | null
    queueWaitMs: number
    durationMs: number
    queuedAt: string
    admittedAt: string
    startedAt: string
    endedAt: string
  }
  const shown = async (id = '') =>
    (
      await stage.ask<{ run: Shown }>(
        'query ($id: ID!) { run(id: $id) { cli model queueWaitMs durationMs queuedAt admittedAt startedAt endedAt } }',
        { id },
      )
    ).run
  const run = await shown(ids.prompt)
  assert.deepEqual([run.cli, run.model], ['coder', null])
  assert.equal(run.queueWaitMs, Date.parse(run.admittedAt) - Date.parse(run.queuedAt))
  assert.equal(run.durationMs, Date.parse(run.endedAt) - Date.parse(run.startedAt))
  assert.equal((await shown(ids.command)).cli, null)
})
