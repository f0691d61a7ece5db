/** The items that wait for a user, the most severe first, and their actions. */
import { deepEqual, equal, ok } from 'node:assert/strict'
import { describe, it } from 'node:test'
import * as v from 'valibot'
import { operations } from '../../../gateway/operations/operations.ts'
import { actionCenterHandlers } from '../../../gateway/operations/operators/actionCenter/operations.ts'
import { builtinTools } from '../../../gateway/operations/tools/builtin.ts'
import { withRowTypes } from '../../../gateway/operations/typedViews.ts'
import { runMembers } from '../../../machines/runs/runKeys.ts'
import { itemKindNames } from '../../../spec/operators/actionCenter/items.ts'
import { openMemoryStorage } from '../../kit/runtime/memory/memory.ts'
import { requestFacts } from '../../kit/runtime/requestFacts.ts'
import { type Change, creation, snapshotOf } from '../../kit/runtime/writes.ts'

const [actionCenter] = actionCenterHandlers
const now = 1_763_636_195_000
const day = 86_400_000
type Write = ReturnType<typeof creation>

async function asked(writes: readonly Write[], input: v.InferInput<typeof actionCenter.input> = {}) {
  const { journal, views } = openMemoryStorage()
  await journal.commit(writes, [])
  return await actionCenter.read(v.parse(actionCenter.input, input), {
    ...requestFacts,
    views: withRowTypes(views),
    now,
  })
}

const seen = async (writes: readonly Write[], input = {}) =>
  (await asked(writes, input))?.items.map(({ kind, severity, title }) => [kind, severity, title])

const run = (
  status: string,
  title: string,
  { init = {}, context = {}, ...change }: Omit<Change, 'init'> & { init?: object; context?: object } = {},
) =>
  creation('run', {
    at: now - 60_000,
    init: JSON.stringify({
      kind: 'SESSION',
      title,
      ownerId: `owner of ${title}`,
      worktreeId: 'w',
      parentRunId: null,
      ...init,
    }),
    snapshot: snapshotOf({ question: null, problem: null, ...context }),
    ...change,
    columns: {
      status,
      terminal: ['FAILED', 'LOST', 'TIMED_OUT', 'SUCCEEDED', 'CANCELED'].includes(status),
      scopeId: `owner of ${title}`,
      worktreeId: 'w',
      agentId: 'agent',
      ...change.columns,
    },
  })

const lost = creation('agent', { init: '{"name":"mac"}', columns: { status: 'LOST' } })
const plan = creation('plan', { at: now - 5_000, init: '{"title":"plan it"}', columns: { status: 'READY' } })
const refused = creation('schedule', {
  at: now - 5_000,
  columns: { status: 'ACTIVE', sortAt: now - 9_000 },
  snapshot: snapshotOf({
    name: 'nightly',
    problem: { code: 'FAILED_PRECONDITION', message: 'The worktree is gone.', since: now - 9_000 },
  }),
})
const asset = (name: string, expiresAt: number) =>
  creation('signingAsset', {
    columns: { status: 'ACTIVE', sortAt: expiresAt },
    snapshot: snapshotOf({ name, facts: { expiresAt } }),
  })
const expired = asset('Release', now - 1_000)
const expiring = asset('Store', now + 29 * day)
const approval = creation('workflowStep', {
  init: JSON.stringify({
    name: 'publish',
    place: { runId: 'run_1' },
    begin: { type: 'start', task: { kind: 'APPROVAL', message: 'Publish it?' } },
  }),
  columns: { status: 'WAITING_FOR_APPROVAL' },
})
const configuration = creation('buildConfiguration', {
  columns: { status: 'ACTIVE' },
  snapshot: snapshotOf({ name: 'release' }),
})
const push = creation('pushBuild', {
  init: JSON.stringify({ buildConfigurationId: configuration.ref.id, branch: 'main', commit: '0123456789abcdef' }),
  columns: { status: 'REFUSED', terminal: true },
  snapshot: snapshotOf({ problem: { code: 'FAILED_PRECONDITION', message: 'The worktree is gone.' } }),
})
const shop = creation('app', { columns: { status: 'ACTIVE' }, snapshot: snapshotOf({ name: 'Shop' }) })
const crashGroup = (status: string, appId = shop.ref.id, reports = 1) =>
  creation('crashGroup', {
    init: JSON.stringify({
      ...{ appId, exceptionType: 'EXC_CRASH' },
      frames: [{ image: 'Shop', symbol: 'Cart.total()', address: null }],
    }),
    columns: { status, sortAt: now, scopeId: appId },
    snapshot: snapshotOf({ reports, pace: { hour: 1, count: 30, usual: 2 }, waitsSince: now - 7_000 }),
  })
const waiting = run('WAITING_FOR_INPUT', 'asks', {
  context: { question: { id: 'q1', answered: false } },
  members: [{ key: runMembers.question, value: { title: 'May I?' } }],
} as never)

describe('the Action Center', () => {
  it('has no items if nothing waits for a user', async () => {
    const writes = [
      run('RUNNING', 'a'),
      run('SUCCEEDED', 'b'),
      run('CANCELED', 'c'),
      creation('agent', { columns: { status: 'CONNECTED' } }),
      creation('plan', { columns: { status: 'DRAFT' } }),
    ]
    deepEqual(await asked(writes), { items: [], totalCount: 0, unseenCount: 0, more: false })
  })

  it('shows each kind of item, the most severe first', async () => {
    const writes = [
      plan,
      refused,
      expiring,
      expired,
      asset('later', now + 31 * day),
      configuration,
      push,
      approval,
      run('FAILED', 'fails'),
      run('RUNNING', 'late', { columns: { stuckAt: now - 1 } }),
      waiting,
      lost,
      run('RUNNING', 'on the lost one', { columns: { agentId: lost.ref.id } }),
      run('INCIDENT', 'broken', { columns: { incidents: 1 } }),
    ]
    deepEqual(await seen(writes), [
      ['ACTOR_INCIDENT', 'CRITICAL', 'broken'],
      ['AGENT_LOST', 'CRITICAL', 'mac'],
      ['RUN_WAITING_FOR_INPUT', 'HIGH', 'asks'],
      ['STEP_WAITING_FOR_APPROVAL', 'HIGH', 'publish'],
      ['ACTOR_STUCK', 'HIGH', 'late'],
      ['SCHEDULE_REFUSED', 'HIGH', 'nightly'],
      ['SIGNING_ASSET_EXPIRED', 'HIGH', 'Release'],
      ['PUSH_REFUSED', 'HIGH', 'release: main 012345678'],
      ['RUN_FAILED', 'NORMAL', 'fails'],
      ['SIGNING_ASSET_EXPIRING', 'NORMAL', 'Store'],
      ['PLAN_READY', 'NORMAL', 'plan it'],
    ])
  })

  it('has the schedules whose last start was refused, with the refusal and the time of the first one', async () => {
    const snapshot = snapshotOf({ name: 'fine', problem: null })
    const fine = creation('schedule', { columns: { status: 'ACTIVE' }, snapshot })
    const items = (await asked([fine, refused]))?.items ?? []
    deepEqual(
      items.map(({ title, detail, since }) => [title, detail, since]),
      [['nightly', 'FAILED_PRECONDITION: The worktree is gone.', new Date(now - 9_000).toISOString()]],
    )
  })

  it('has the question of a run, the time since which it waits, and the action that answers it', async () => {
    const [item] = (await asked([waiting]))?.items ?? []
    deepEqual(
      [item?.question, item?.questionId, item?.since, item?.actorId, item?.actorKind],
      [
        { title: 'May I?', toolCall: null, options: [] },
        'q1',
        new Date(now - 60_000).toISOString(),
        waiting.ref.id,
        'RUN',
      ],
    )
    deepEqual(item?.actions[0]?.arguments, { runId: waiting.ref.id, questionId: 'q1' })
  })

  it('does not show a lost agent on which nothing runs', async () => {
    deepEqual(await seen([lost, run('FAILED', 'x', { at: now - 30 * day, columns: { agentId: lost.ref.id } })]), [])
  })

  it('shows a failed run for a week, unless another run follows it or its plan is archived', async () => {
    const archived = creation('plan', { columns: { status: 'ARCHIVED', terminal: true } })
    const writes = [
      run('LOST', 'followed'),
      run('RUNNING', 'followed'),
      run('TIMED_OUT', 'old', { at: now - 8 * day }),
      archived,
      run('FAILED', 'archived', { init: { kind: 'PLAN', ownerId: archived.ref.id } }),
      run('FAILED', 'new', { context: { problem: { code: 'STEP_FAILED', message: 'exit 1' } } }),
    ]
    const found = await asked(writes)
    deepEqual(
      found?.items.map(({ title, detail }) => [title, detail]),
      [['new', 'STEP_FAILED: exit 1']],
    )
  })

  it('does not show a failed child run while its parent run continues', async () => {
    const parent = run('RUNNING', 'parent')
    const child = (of: Write) => run('FAILED', 'child', { init: { parentRunId: of.ref.id } })
    const over = run('SUCCEEDED', 'over')
    deepEqual(await seen([parent, child(parent)]), [])
    deepEqual(await seen([over, child(over)]), [['RUN_FAILED', 'NORMAL', 'child']])
  })

  it('shows the longest waiting question first, and the newest failed run first', async () => {
    const asks = (title: string, ago: number) => run('WAITING_FOR_INPUT', title, { at: now - ago })
    const fails = (title: string, ago: number) => run('FAILED', title, { at: now - ago })
    const titles = await seen([asks('short', 10), asks('long', 20), fails('before', 20), fails('just now', 10)])
    deepEqual(
      titles?.map(([, , title]) => title),
      ['long', 'short', 'just now', 'before'],
    )
  })

  it('shows crash groups of active apps, but not acknowledged, resolved or empty ones', async () => {
    const others = ['UNCLAIMED', 'ARCHIVED'].map((status) => creation('app', { columns: { status } }))
    const writes = [
      ...[shop, crashGroup('NEW'), crashGroup('SPIKING', shop.ref.id, 40), crashGroup('REGRESSED', shop.ref.id, 2)],
      ...['ACKNOWLEDGED', 'RESOLVED', 'EMPTY'].map((status) => crashGroup(status)),
      ...others.flatMap((other) => [other, crashGroup('NEW', other.ref.id), crashGroup('SPIKING', other.ref.id)]),
    ]
    const found = (await asked(writes))?.items.map(({ kind, severity, title, detail }) => [
      kind,
      severity,
      title,
      detail,
    ])
    deepEqual(found, [
      ['CRASH_GROUP_SPIKING', 'HIGH', 'Shop: Cart.total()', '30 reports within an hour, 40 in all: EXC_CRASH.'],
      ['CRASH_GROUP_REGRESSED', 'HIGH', 'Shop: Cart.total()', '2 reports: EXC_CRASH.'],
      ['CRASH_GROUP_NEW', 'NORMAL', 'Shop: Cart.total()', '1 report: EXC_CRASH.'],
    ])
  })

  it('finds the crash group of an active app among 1,500 of an unclaimed app', async () => {
    const unclaimed = creation('app', { columns: { status: 'UNCLAIMED' } })
    const many = Array.from({ length: 1_500 }, () => crashGroup('NEW', unclaimed.ref.id))
    const found = await asked([shop, unclaimed, crashGroup('NEW'), ...many])
    deepEqual([found?.totalCount, found?.more], [1, false])
  })

  it('shows the requested number and kinds of items, and reports that there are more', async () => {
    const writes = Array.from({ length: 5 }, (_, number) => run('FAILED', `run ${number}`))
    const found = await asked(writes, { first: 2 })
    deepEqual([found?.items.length, found?.totalCount, found?.more], [2, 5, true])
    equal((await asked(writes, { kinds: ['PLAN_READY', 'AGENT_LOST'] }))?.totalCount, 0)
    equal((await asked(writes, { kinds: ['RUN_FAILED'] }))?.totalCount, 5)
  })

  it('names only existing tools, with arguments that they accept', async () => {
    const tools = builtinTools(operations)
    const workflow = run('FAILED', 'checks', { init: { kind: 'WORKFLOW', ownerId: 'wfl' } })
    const all = [
      plan,
      refused,
      expired,
      expiring,
      configuration,
      push,
      approval,
      shop,
      ...['NEW', 'SPIKING', 'REGRESSED'].map((status) => crashGroup(status)),
      workflow,
      run('FAILED', 'fails'),
      run('RUNNING', 'late', { columns: { stuckAt: now - 1 } }),
      waiting,
      lost,
    ]
    const writes = [
      ...all,
      run('RUNNING', 'r', { columns: { agentId: lost.ref.id } }),
      run('INCIDENT', 'b', { columns: { incidents: 1 } }),
    ]
    const items = (await asked(writes))?.items ?? []
    deepEqual(new Set(items.map(({ kind }) => kind)).size, itemKindNames.length)
    for (const action of items.flatMap(({ actions }) => actions)) {
      const tool = tools.get(action.tool)
      equal(tool?.operation.name, action.operation)
      ok(tool)
      const { properties } = tool.inputSchema as unknown as { readonly properties: object }
      for (const name of Object.keys(action.arguments as object))
        ok(name in properties, `${action.tool} takes no ${name}`)
    }
  })
})
