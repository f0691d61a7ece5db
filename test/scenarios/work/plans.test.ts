/** A run creates a plan, and a session carries it out. The session's coding CLI receives the text of the plan. */
import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { type Machine, startMachine } from '../../kit/program/machine.ts'
import { lookAt, mutate, type RunView, runFields, startRun, untilRun } from '../../kit/program/runs.ts'
import { refusal, startTestProgram, type TestProgram } from '../../kit/program/testProgram.ts'
import { until } from '../../kit/program/until.ts'

let stage: TestProgram
let machine: Machine

before(async () => {
  stage = await startTestProgram()
  machine = await startMachine(stage, { branches: ['made', 'played', 'twice', 'sessions', 'watched'] })
})
after(() => stage?.end())

interface Plan {
  readonly id: string
  readonly status: string
  readonly task: string | null
  readonly text: string | null
  readonly sessionId: string | null
  readonly runs: { readonly nodes: readonly { readonly id: string }[] }
}
interface Played {
  readonly session: {
    readonly id: string
    readonly status: string
    readonly planId: string
    readonly worktreeId: string
  }
  readonly run: RunView
}

const planOf = async (id: string) =>
  (
    await stage.ask<{ plan: Plan }>(
      'query ($id: ID!) { plan(id: $id) { id status task text sessionId runs { nodes { id } } } }',
      { id },
    )
  ).plan
const untilPlan = (id: string, status: string) =>
  until(`plan ${id} to be ${status}`, async () => {
    const plan = await planOf(id)
    return plan.status === status ? plan : undefined
  })
const play = (planId: string, more: object = {}) =>
  mutate<Played>(
    stage.ask,
    'playPlan',
    { planId, ...more },
    `session { id status planId worktreeId } run { ${runFields} }`,
  )
const planIdOf = async (runId: string) =>
  (
    await stage.ask<{ run: { planId: string } }>('query ($id: ID!) { run(id: $id) { ... on PlanRun { planId } } }', {
      id: runId,
    })
  ).run.planId

/** Starts a run with the text as its prompt. The test's coding CLI executes the lines of its prompt. */
async function makePlan(branch: string, text: string): Promise<Plan> {
  const prompt = `plan\nsay ${text}`
  const { id } = await startRun(stage.ask, { kind: 'PLAN', worktreeId: machine.worktree(branch), prompt })
  await untilRun(stage.ask, id, ['SUCCEEDED'])
  return await untilPlan(await planIdOf(id), 'READY')
}

test('the text of a plan is the result of its last successful run', async () => {
  const plan = await makePlan('made', 'write first.txt')
  assert.deepEqual([plan.text, plan.task], ['write first.txt', 'plan\nsay write first.txt'])
  const next = await mutate<{ run: RunView }>(
    stage.ask,
    'createRunFollowUp',
    { runId: plan.runs.nodes[0]?.id, prompt: 'say write second.txt' },
    'run { id }',
  )
  await untilRun(stage.ask, next.run.id, ['SUCCEEDED'])
  const failed = await until('another turn to be taken', () =>
    mutate<{ run: RunView }>(
      stage.ask,
      'createRunFollowUp',
      { runId: next.run.id, prompt: 'say no\ncrash' },
      'run { id }',
    ),
  )
  await untilRun(stage.ask, failed.run.id, ['FAILED'])
  const revised = await planOf(plan.id)
  assert.deepEqual([revised.text, revised.runs.nodes.length], ['write second.txt', 3])
})

test('each revision of an edited plan has its author and its difference, and a chosen revision can be played', async () => {
  const [first, second] = ['revision-1.txt', 'revision-2.txt'].map((name) => join(machine.path('played'), name))
  const plan = await makePlan('made', `write ${first}`)
  const edit = (text: string, expectedRevision: number) =>
    mutate<{ plan: { revision: number; text: string } }>(
      stage.ask,
      'updatePlan',
      { planId: plan.id, text, expectedRevision },
      'plan { revision text }',
    )
  assert.deepEqual((await edit(`write ${second}`, 1)).plan, { revision: 2, text: `write ${second}` })
  assert.equal((await refusal(edit('too late', 1))).code, 'CONFLICT')
  const { plan: seen } = await stage.ask<{
    plan: { revisions: { totalCount: number; nodes: { revision: number; diff: string | null }[] } }
  }>('query ($id: ID!) { plan(id: $id) { revisions { totalCount nodes { revision diff author { __typename } } } } }', {
    id: plan.id,
  })
  assert.deepEqual(
    seen.revisions.nodes.map(({ diff, ...node }) => ({ ...node, isCompared: diff !== null })),
    [
      { revision: 2, author: { __typename: 'ApiKey' }, isCompared: true },
      { revision: 1, author: { __typename: 'PlanRun' }, isCompared: false },
    ],
  )
  assert.match(seen.revisions.nodes[0]?.diff ?? '', /-write .*revision-1\.txt\n.*\+write .*revision-2\.txt/s)
  const worktreeId = machine.worktree('played')
  const unknown = await refusal(play(plan.id, { worktreeId, revision: 3 }))
  assert.deepEqual([unknown.code, unknown.details.field], ['BAD_USER_INPUT', 'revision'])
  const { run } = await play(plan.id, { worktreeId, revision: 1 })
  await untilRun(stage.ask, run.id, ['SUCCEEDED'])
  assert.deepEqual([existsSync(first ?? ''), existsSync(second ?? '')], [true, false])
  await untilPlan(plan.id, 'COMPLETED')
  const { run: last } = await stage.ask<{ run: object }>(
    'query ($id: ID!) { run(id: $id) { ... on SessionRun { session { planRevision } } } }',
    { id: run.id },
  )
  assert.deepEqual(last, { session: { planRevision: 1 } })
})

test('a run that revises a plan gets the text that a person has written', async () => {
  const plan = await makePlan('made', 'the first idea')
  await mutate(stage.ask, 'updatePlan', { planId: plan.id, text: 'say the better idea' }, 'plan { id }')
  const { run } = await mutate<{ run: RunView }>(
    stage.ask,
    'createRunFollowUp',
    { runId: plan.runs.nodes[0]?.id, prompt: 'think' },
    'run { id }',
  )
  await untilRun(stage.ask, run.id, ['SUCCEEDED'])
  assert.equal((await lookAt(stage.ask, run.id)).result?.text, 'the better idea')
})

test('a PLAN run that changes the worktree fails and names the files, and is not checked if it runs beside another run', async () => {
  const file = join(machine.path('watched'), 'sneaky.txt')
  const worktreeId = machine.worktree('watched')
  const start = (prompt: string) => startRun(stage.ask, { kind: 'PLAN', worktreeId, prompt })
  const { id } = await start(`write ${file}\nsay A plan.`)
  const { problem } = await untilRun(stage.ask, id, ['FAILED'])
  assert.equal(problem?.code, 'PLAN_CHANGED_WORKTREE')
  assert.match(problem?.message ?? '', /sneaky\.txt/)
  // The file is there now, and does not change any more.
  const clean = await start('say A plan.')
  await untilRun(stage.ask, clean.id, ['SUCCEEDED'])
  const waiting = await start('permission\nsay A plan.')
  const { questionId } = await untilRun(stage.ask, waiting.id, ['WAITING_FOR_INPUT'])
  const beside = await startRun(stage.ask, { worktreeId, command: `echo more > ${file}` })
  await untilRun(stage.ask, beside.id, ['SUCCEEDED'])
  await mutate(stage.ask, 'answerRun', { runId: waiting.id, questionId, answer: { optionId: 'no' } }, 'run { id }')
  await untilRun(stage.ask, waiting.id, ['SUCCEEDED'])
})

test('playing a plan creates a session that carries it out, and the plan is COMPLETED after the session run has succeeded', async () => {
  const [plans, sessions] = ['played.txt', 'beside.txt'].map((name) => join(machine.path('played'), name))
  const plan = await makePlan('made', `write ${plans}`)
  const worktreeId = machine.worktree('played')
  const { session, run } = await play(plan.id, {
    worktreeId,
    prompt: `write ${sessions}`,
    configuration: { worktreeConcurrencyLimit: 3 },
  })
  assert.deepEqual([session.planId, session.worktreeId], [plan.id, worktreeId])
  assert.deepEqual([run.kind, run.worktreeConcurrencyLimit], ['SESSION', 3])
  assert.equal((await planOf(plan.id)).sessionId, session.id)
  await untilRun(stage.ask, run.id, ['SUCCEEDED'])
  for (const file of [plans, sessions]) assert.ok(existsSync(file ?? ''), file)
  await untilPlan(plan.id, 'COMPLETED')
  const again = await play(plan.id, { worktreeId })
  assert.notEqual(again.session.id, session.id)
  await untilRun(stage.ask, again.run.id, ['SUCCEEDED'])
  await untilPlan(plan.id, 'COMPLETED')
})

test('of concurrent requests to play a plan one succeeds, and a repeat of that request gets the same response', async () => {
  const plan = await makePlan('twice', 'permission')
  const asked = await Promise.allSettled(
    Array.from({ length: 8 }, (_, n) => play(plan.id, { idempotencyKey: `player ${n}` })),
  )
  const won = asked.flatMap((one, n) => (one.status === 'fulfilled' ? [{ n, played: one.value }] : []))
  assert.equal(won.length, 1)
  const [winner] = won
  const repeats = await Promise.all(
    Array.from({ length: 4 }, () => play(plan.id, { idempotencyKey: `player ${winner?.n}` })),
  )
  for (const { session, run } of repeats)
    assert.deepEqual([session.id, run.id], [winner?.played.session.id, winner?.played.run.id])
  const late = await refusal(play(plan.id))
  assert.deepEqual([late.code, late.details.state], ['FAILED_PRECONDITION', 'RUNNING'])
  const { sessions } = await stage.ask<{ sessions: { nodes: { id: string; planId: string | null }[] } }>(
    'query ($worktreeId: ID) { sessions(worktreeId: $worktreeId) { nodes { id planId } } }',
    { worktreeId: machine.worktree('twice') },
  )
  assert.deepEqual(sessions.nodes, [{ id: winner?.played.session.id, planId: plan.id }])
  await mutate(stage.ask, 'cancelRun', { runId: winner?.played.run.id }, 'run { id }')
  await untilPlan(plan.id, 'FAILED')
})

test('a plan without text cannot be played, and neither can an archived plan', async () => {
  const { id } = await startRun(stage.ask, { kind: 'PLAN', worktreeId: machine.worktree('made'), command: 'true' })
  await untilRun(stage.ask, id, ['SUCCEEDED'])
  const refused = await refusal(play(await planIdOf(id)))
  assert.deepEqual([refused.code, refused.details.state], ['FAILED_PRECONDITION', 'DRAFT'], refused.message)
  assert.match(refused.message, /has no text yet/)
  const plan = await makePlan('made', 'write never.txt')
  for (let n = 0; n < 2; n++) {
    const archived = await mutate<{ plan: Plan }>(stage.ask, 'archivePlan', { planId: plan.id }, 'plan { status }')
    assert.equal(archived.plan.status, 'ARCHIVED')
  }
  const gone = await refusal(play(plan.id))
  assert.deepEqual([gone.code, gone.details.state], ['FAILED_PRECONDITION', 'ARCHIVED'])
  const { plans } = await stage.ask<{ plans: { nodes: { id: string }[] } }>(
    'query ($agentId: ID) { plans(agentId: $agentId, statuses: [ARCHIVED]) { nodes { id } } }',
    { agentId: machine.agentId },
  )
  assert.deepEqual(plans.nodes, [{ id: plan.id }])
  const back = await mutate<{ plan: Plan }>(stage.ask, 'unarchivePlan', { planId: plan.id }, 'plan { status }')
  assert.equal(back.plan.status, 'READY')
})

test('a session can be finished or deleted only when it is idle, and deleted sessions are listed only on request', async () => {
  const worktreeId = machine.worktree('sessions')
  const sessionOf = async (runId: string) =>
    (
      await stage.ask<{ run: { sessionId: string } }>(
        'query ($id: ID!) { run(id: $id) { ... on SessionRun { sessionId } } }',
        { id: runId },
      )
    ).run.sessionId
  const end = (name: string, sessionId: string) =>
    mutate<{ session: { status: string } }>(stage.ask, name, { sessionId }, 'session { status }')
  const ids: string[] = []
  for (const [name, status] of [
    ['finishSession', 'FINISHED'],
    ['deleteSession', 'DELETED'],
  ] as const) {
    const { id } = await startRun(stage.ask, { worktreeId, prompt: 'permission' })
    const sessionId = await sessionOf(id)
    await untilRun(stage.ask, id, ['WAITING_FOR_INPUT'])
    await until('the session to wait', async () => {
      const early = await refusal(end(name, sessionId))
      return (early.code === 'FAILED_PRECONDITION' && early.details.state === 'WAITING_FOR_INPUT') || undefined
    })
    await mutate(stage.ask, 'cancelRun', { runId: id }, 'run { id }')
    await untilRun(stage.ask, id, ['CANCELED'])
    const ended = await until('the session to be idle', () => end(name, sessionId).catch(() => undefined))
    assert.equal(ended.session.status, status)
    assert.equal((await end(name, sessionId)).session.status, status)
    assert.equal((await lookAt(stage.ask, id)).status, 'CANCELED')
    ids.push(sessionId)
  }
  const list = async (more = '') =>
    (
      await stage.ask<{ sessions: { nodes: { id: string }[] } }>(
        `query ($worktreeId: ID) { sessions(worktreeId: $worktreeId${more}) { nodes { id } } }`,
        { worktreeId },
      )
    ).sessions.nodes.map(({ id }) => id)
  assert.deepEqual([await list(), await list(', statuses: [DELETED]')], [[ids[0]], [ids[1]]])
  const { session } = await stage.ask<{ session: { runs: { nodes: { kind: string; status: string }[] } } }>(
    'query ($id: ID!) { session(id: $id) { runs { nodes { kind status } } } }',
    { id: ids[0] },
  )
  assert.deepEqual(session.runs.nodes, [{ kind: 'SESSION', status: 'CANCELED' }])
})
