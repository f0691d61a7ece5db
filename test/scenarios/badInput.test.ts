/** Every mutation of the surface with input that is none: the documented code, the name of the field, and no trace of it. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { type BareAgent, reportWorktree, startBareAgent } from './support/bareAgent.ts'
import { makeWorkflow, mutate, startRun } from './support/runs.ts'
import { openStage, refusal, type Stage } from './support/stage.ts'

let stage: Stage
let agent: BareAgent
const ids: Record<string, string> = {}

before(async () => {
  stage = await openStage({ env: { LIMIT_GRAPHQL_POINTS_PER_5_MINUTES: '50000' } })
  agent = await startBareAgent(stage, 'bare')
  const worktrees = await reportWorktree(stage, agent, '/srv/bare', ['main', 'second'])
  ids.worktree = worktrees.second ?? ''
  await mutate(stage.ask, 'pauseWorktreeQueue', { worktreeId: ids.worktree }, 'worktreeQueue { id }')
  ids.run = (await startRun(stage.ask, { worktreeId: ids.worktree, command: 'true' })).id
  ids.workflow = await makeWorkflow(stage.ask, { name: 'valid', steps: [{ name: 's', command: 'true' }] })
  ids.agent = agent.agentId
  const { codebases } = await stage.ask<{ codebases: { nodes: { id: string }[] } }>('{ codebases { nodes { id } } }')
  ids.codebase = codebases.nodes[0]?.id ?? ''
})
after(() => stage?.end())

type Kind =
  | { readonly id: string }
  | { readonly text: number; readonly empty?: true }
  | { readonly int: readonly [number, number] }
  | { readonly flag: true }
  | { readonly choice: true }

interface Mutation {
  readonly name: string
  readonly selection: string
  readonly valid: () => Record<string, unknown>
  readonly required: readonly string[]
  readonly fields: Readonly<Record<string, Kind>>
}

const reason = { text: 500, empty: true } as const
const key = { text: 200 } as const
const timeout = { int: [1, 604_800] } as const
const queue = (name: string): Mutation => ({
  name,
  selection: 'worktreeQueue { id }',
  valid: () => ({ worktreeId: ids.worktree }),
  required: ['worktreeId'],
  fields: { worktreeId: { id: 'worktree' }, reason },
})
const ofAgent = (name: string, fields: Mutation['fields'] = {}): Mutation => ({
  name,
  selection: 'agent { id }',
  valid: () => ({ agentId: ids.agent }),
  required: ['agentId'],
  fields: { agentId: { id: 'agent' }, reason, ...fields },
})
const definition = { name: 'w', steps: [{ name: 's', command: 'true' }] }
const definitionFields = {
  name: { text: 100 },
  'steps.0.name': { text: 100 },
  'steps.0.command': { text: 20_000 },
  overlapPolicy: { choice: true },
  overlapScope: { choice: true },
  exclusiveWorktree: { flag: true },
  worktreeConcurrencyLimit: { int: [0, 32] },
  timeoutSeconds: timeout,
} as const

const mutations: readonly Mutation[] = [
  queue('pauseWorktreeQueue'),
  queue('resumeWorktreeQueue'),
  queue('releaseWorktreeReservation'),
  {
    ...queue('releaseWorktreeSlot'),
    valid: () => ({ worktreeId: ids.worktree, runId: ids.run }),
    required: ['worktreeId', 'runId'],
    fields: { worktreeId: { id: 'worktree' }, runId: { id: 'run' }, reason },
  },
  ofAgent('drainAgent', { drain: { flag: true } }),
  ofAgent('revokeAgent'),
  {
    name: 'createEnrollmentToken',
    selection: 'enrollmentId',
    valid: () => ({}),
    required: [],
    fields: { name: { text: 100 }, expiresInSeconds: { int: [60, 604_800] }, idempotencyKey: key },
  },
  {
    name: 'createWorktree',
    selection: 'worktree { id }',
    valid: () => ({ codebaseId: ids.codebase, branch: 'b' }),
    required: ['codebaseId', 'branch'],
    fields: {
      codebaseId: { id: 'codebase' },
      branch: { text: 244 },
      base: { text: 244 },
      path: { text: 1_024 },
      idempotencyKey: key,
    },
  },
  {
    name: 'removeWorktree',
    selection: 'worktree { id }',
    valid: () => ({ worktreeId: ids.worktree }),
    required: ['worktreeId'],
    fields: { worktreeId: { id: 'worktree' }, force: { flag: true } },
  },
  {
    name: 'createAgentRun',
    selection: 'run { id }',
    valid: () => ({ worktreeId: ids.worktree, kind: 'SESSION', command: 'true' }),
    required: ['worktreeId', 'kind'],
    fields: {
      worktreeId: { id: 'worktree' },
      kind: { choice: true },
      title: { text: 200 },
      command: { text: 20_000 },
      cli: { text: 100 },
      'configuration.worktreeConcurrencyLimit': { int: [0, 32] },
      timeoutSeconds: timeout,
      idempotencyKey: key,
    },
  },
  {
    name: 'createRunFollowUp',
    selection: 'run { id }',
    valid: () => ({ runId: ids.run, prompt: 'more' }),
    required: ['runId', 'prompt'],
    fields: {
      runId: { id: 'run' },
      prompt: { text: 200_000 },
      'configuration.worktreeConcurrencyLimit': { int: [0, 32] },
      timeoutSeconds: timeout,
      idempotencyKey: key,
    },
  },
  {
    name: 'updateRunConfiguration',
    selection: 'run { id }',
    valid: () => ({ runId: ids.run, configuration: { worktreeConcurrencyLimit: 2 } }),
    required: ['runId', 'configuration'],
    fields: { runId: { id: 'run' }, 'configuration.worktreeConcurrencyLimit': { int: [0, 32] } },
  },
  {
    name: 'answerRun',
    selection: 'run { id }',
    valid: () => ({ runId: ids.run, questionId: 'q', answer: {} }),
    required: ['runId', 'questionId', 'answer'],
    fields: { runId: { id: 'run' }, questionId: { text: 100 } },
  },
  {
    name: 'cancelRun',
    selection: 'run { id }',
    valid: () => ({ runId: ids.run }),
    required: ['runId'],
    fields: { runId: { id: 'run' }, reason },
  },
  {
    name: 'createWorkflow',
    selection: 'workflow { id }',
    valid: () => definition,
    required: ['name', 'steps'],
    fields: { ...definitionFields, idempotencyKey: key },
  },
  {
    name: 'saveWorkflowDraft',
    selection: 'workflow { id }',
    valid: () => ({ workflowId: ids.workflow, ...definition }),
    required: ['workflowId', 'name', 'steps'],
    fields: { workflowId: { id: 'workflow' }, ...definitionFields },
  },
  {
    name: 'publishWorkflow',
    selection: 'workflow { id }',
    valid: () => ({ workflowId: ids.workflow }),
    required: ['workflowId'],
    fields: { workflowId: { id: 'workflow' } },
  },
  {
    name: 'startWorkflow',
    selection: 'run { id }',
    valid: () => ({ workflowId: ids.workflow, worktreeId: ids.worktree }),
    required: ['workflowId', 'worktreeId'],
    fields: { workflowId: { id: 'workflow' }, worktreeId: { id: 'worktree' }, idempotencyKey: key },
  },
]

/** What GraphQL itself refuses has the field in its message; what the schemas refuse names it in `details`. */
interface Case {
  readonly value: unknown
  readonly by: 'GraphQL' | 'schema'
}

function casesOf(kind: Kind): readonly Case[] {
  if ('id' in kind) {
    const other = kind.id === 'run' ? 'wt' : 'run'
    const wrong = ['', 'nonsense', `${other}_${'0'.repeat(26)}`, `agent_${'0'.repeat(26)}`, `run_${'8'.repeat(26)}`]
    return [
      ...wrong.map((value) => ({ value, by: 'schema' as const })),
      { value: true, by: 'GraphQL' },
      { value: ['a'], by: 'GraphQL' },
    ]
  }
  if ('text' in kind) {
    const controls = ['a\u0000b', 'a\u0007', '\u007f', 'a\ud800b', '\udc00']
    return [
      ...(kind.empty ? [] : [{ value: '', by: 'schema' as const }]),
      { value: 'x'.repeat(kind.text + 1), by: 'schema' },
      ...controls.map((value) => ({ value, by: 'schema' as const })),
      { value: 7, by: 'GraphQL' },
      { value: { a: 1 }, by: 'GraphQL' },
    ]
  }
  if ('int' in kind) {
    const [least, most] = kind.int
    return [
      { value: least - 1, by: 'schema' },
      { value: most + 1, by: 'schema' },
      { value: 1.5, by: 'GraphQL' },
      { value: 'one', by: 'GraphQL' },
      { value: 2 ** 40, by: 'GraphQL' },
    ]
  }
  if ('flag' in kind)
    return [
      { value: 'yes', by: 'GraphQL' },
      { value: 1, by: 'GraphQL' },
    ]
  return [
    { value: 'NONE_OF_THEM', by: 'GraphQL' },
    { value: 3, by: 'GraphQL' },
  ]
}

/** A copy of the input with the value at a path like `steps.0.name`. */
function withValue(input: Record<string, unknown>, path: string, value: unknown): Record<string, unknown> {
  const copy = structuredClone(input)
  const names = path.split('.')
  let at = copy
  for (const name of names.slice(0, -1)) {
    at[name] ??= {}
    at = at[name] as Record<string, unknown>
  }
  at[names.at(-1) ?? ''] = value
  return copy
}

/** How many actors there are of each kind, and how far each of those that the inputs name has come. */
async function state(): Promise<unknown> {
  const kinds = [
    'run',
    'job',
    'plan',
    'session',
    'workflow',
    'worktree',
    'worktreeQueue',
    'enrollment',
    'agent',
    'codebase',
  ]
  const counts = kinds.map((kind) => `${kind}: actors(kind: ${kind}, first: 1) { totalCount }`).join(' ')
  const named = Object.entries(ids).map(([name, id]) => `of_${name}: actor(id: "${id}") { sequence status }`)
  return await stage.ask(`{ ${counts} ${named.join(' ')} }`)
}

for (const mutation of mutations) {
  test(mutation.name, async () => {
    const { name, selection, valid, required, fields } = mutation
    const before = await state()
    const send = (input: Record<string, unknown>) => refusal(mutate(stage.ask, name, input, selection))
    for (const field of required) {
      for (const value of [undefined, null]) {
        const refused = await send(withValue(valid(), field, value))
        assert.equal(refused.code, 'BAD_USER_INPUT', `${field} ${value}: ${refused.code} ${refused.message}`)
        assert.ok(refused.message.includes(field), refused.message)
      }
    }
    for (const [field, kind] of Object.entries(fields)) {
      for (const { value, by } of casesOf(kind)) {
        const said = `${field} = ${JSON.stringify(value)?.slice(0, 60)}`
        const refused = await send(withValue(valid(), field, value))
        assert.equal(refused.code, 'BAD_USER_INPUT', `${said}: ${refused.code} ${refused.message}`)
        if (by === 'schema')
          assert.equal(
            String(refused.details.field).replace(/^input\./, ''),
            field,
            `${said}: ${JSON.stringify(refused)}`,
          )
      }
    }
    const strange = await send({ ...valid(), strange: 1 })
    assert.equal(strange.code, 'BAD_USER_INPUT', `a field that there is none of: ${strange.message}`)
    assert.deepEqual(await state(), before, 'a refused request leaves no trace')
  })
}

test('unknown IDs of the right kind are NOT_FOUND', async () => {
  const before = await state()
  for (const { name, selection, valid, fields } of mutations) {
    for (const [field, kind] of Object.entries(fields)) {
      if (!('id' in kind)) continue
      const prefix = { worktree: 'wt', run: 'run', agent: 'agt', codebase: 'cbs', workflow: 'wfl' }[kind.id]
      const input = withValue(valid(), field, `${prefix}_${'0'.repeat(26)}`)
      const refused = await refusal(mutate(stage.ask, name, input, selection))
      const fine = name === 'releaseWorktreeSlot' && field === 'runId' ? 'FAILED_PRECONDITION' : 'NOT_FOUND'
      assert.equal(refused.code, fine, `${name}.${field}: ${refused.code} ${refused.message}`)
      assert.doesNotMatch(refused.message, /worktreeQueue/, 'a caller is told of what it named')
    }
  }
  assert.deepEqual(await state(), before)
})

test('JSON that no database takes is refused or kept, never an internal error', async () => {
  for (const answer of ['a\u0000b', { a: ['\u0000'] }, { '\u0000': 1 }, '\ud800', 'x'.repeat(70_000)]) {
    const input = { runId: ids.run, questionId: 'q', answer }
    const refused = await refusal(mutate(stage.ask, 'answerRun', input, 'run { id }'))
    assert.notEqual(refused.code, 'INTERNAL', `${JSON.stringify(answer).slice(0, 40)}: ${refused.message}`)
  }
})
