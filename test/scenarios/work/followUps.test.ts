/** Follow-ups that are sent while a turn of the session is active. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { type Machine, startMachine } from '../../kit/program/machine.ts'
import { makePreset, mutate, type RunView, runFields, startRun, untilRun } from '../../kit/program/runs.ts'
import { gate, refusal, startTestProgram, type TestProgram } from '../../kit/program/testProgram.ts'
import { until } from '../../kit/program/until.ts'

let stage: TestProgram
let machine: Machine

before(async () => {
  stage = await startTestProgram()
  machine = await startMachine(stage, { branches: ['a', 'b', 'c', 'd'] })
})
after(() => stage?.end())

interface Queued {
  readonly runId: string
  readonly prompt: string
  readonly revision: number
}

interface SessionView {
  readonly id: string
  readonly status: string
  readonly isFollowUpQueuePaused: boolean
  readonly queuedFollowUps: { readonly totalCount: number; readonly nodes: readonly Queued[] }
}

const sessionFields =
  'id status isFollowUpQueuePaused queuedFollowUps { totalCount nodes { runId title prompt revision requestedBy { __typename } } }'

const send = (runId: string, prompt: string, more: object = {}) =>
  mutate<{ run: RunView | null; queuedFollowUp: Queued | null }>(
    stage.ask,
    'createRunFollowUp',
    { runId, prompt, ...more },
    `run { ${runFields} } queuedFollowUp { runId prompt revision }`,
  )

async function sessionOf(runId: string): Promise<SessionView> {
  const { run } = await stage.ask<{ run: { session: SessionView } }>(
    `query ($id: ID!) { run(id: $id) { ... on SessionRun { session { ${sessionFields} } } } }`,
    { id: runId },
  )
  return run.session
}

const change = (name: string, input: object) =>
  mutate<{ session: SessionView }>(stage.ask, name, { ...input }, `session { ${sessionFields} }`)

test('follow-ups wait for the turn, can be edited and withdrawn, and start in their order with the conversation', async () => {
  const preset = await makePreset(stage, ['get_run'])
  const worktreeId = machine.worktree('a')
  const first = await startRun(stage.ask, { worktreeId, cli: 'coder', prompt: 'permission\nsay one' })
  const { questionId } = await untilRun(stage.ask, first.id, ['WAITING_FOR_INPUT'])
  const two = await send(first.id, 'say two', { requireConversation: true, mcpPresetIds: [preset] })
  const three = await send(first.id, 'say three')
  const four = await send(first.id, 'say four')
  assert.deepEqual([two.run, two.queuedFollowUp?.prompt, three.run, four.run], [null, 'say two', null, null])
  const ids = [two, three, four].map(({ queuedFollowUp }) => queuedFollowUp?.runId ?? '')

  const { id: sessionId, queuedFollowUps } = await sessionOf(first.id)
  assert.deepEqual(
    queuedFollowUps.nodes.map(({ prompt }) => prompt),
    ['say two', 'say three', 'say four'],
  )
  const edit = { sessionId, runId: ids[1], prompt: 'say THREE', expectedRevision: 1 }
  await change('updateQueuedFollowUp', edit)
  assert.equal((await refusal(change('updateQueuedFollowUp', edit))).code, 'CONFLICT')
  await change('withdrawQueuedFollowUp', { sessionId, runId: ids[2] })

  await mutate(stage.ask, 'answerRun', { runId: first.id, questionId, answer: { optionId: 'yes' } }, 'run { id }')
  await untilRun(stage.ask, first.id, ['SUCCEEDED'])
  const texts = []
  for (const id of ids.slice(0, 2)) {
    await until(
      `run ${id}`,
      async () => (await sessionOf(first.id)).queuedFollowUps.nodes.every(({ runId }) => runId !== id) || undefined,
    )
    await until(`run ${id} to exist`, async () => {
      const { run } = await stage.ask<{ run: object | null }>('query ($id: ID!) { run(id: $id) { id } }', { id })
      return run ?? undefined
    })
    const { result, conversation } = await untilRun(stage.ask, id, ['SUCCEEDED'])
    texts.push(`${result?.text} ${conversation}`)
  }
  assert.deepEqual(texts, ['two LOADED', 'THREE LOADED'])
  const { run } = await stage.ask<{ run: { toolGrant: { presetIds: string[] } } }>(
    'query ($id: ID!) { run(id: $id) { toolGrant { presetIds } } }',
    { id: ids[0] },
  )
  assert.deepEqual(run.toolGrant.presetIds, [preset])
  const done = await until('the session to be idle', async () => {
    const session = await sessionOf(first.id)
    return session.status === 'IDLE' ? session : undefined
  })
  assert.equal(done.queuedFollowUps.totalCount, 0)
  assert.equal(
    (await refusal(change('withdrawQueuedFollowUp', { sessionId, runId: ids[0] }))).code,
    'FAILED_PRECONDITION',
  )
})

test('a failed turn pauses the queue, which can be resumed after the turn was retried', async () => {
  const going = gate(stage)
  const path = `${stage.folder}/failed-once`
  const command = `${going.command}; test -e ${path} || { touch ${path}; exit 1; }`
  const first = await startRun(stage.ask, { worktreeId: machine.worktree('b'), command })
  await going.untilBegun()
  const { queuedFollowUp } = await send(first.id, 'say after')
  await going.open()
  await untilRun(stage.ask, first.id, ['FAILED'])
  const paused = await until('the queue to be paused', async () => {
    const session = await sessionOf(first.id)
    return session.isFollowUpQueuePaused ? session : undefined
  })
  assert.deepEqual([paused.status, paused.queuedFollowUps.totalCount], ['IDLE', 1])
  const { run } = await mutate<{ run: RunView }>(stage.ask, 'retryRun', { runId: first.id }, 'run { id }')
  await untilRun(stage.ask, run.id, ['SUCCEEDED'])
  assert.equal((await sessionOf(first.id)).queuedFollowUps.totalCount, 1)
  await until('the session to be idle', async () => (await sessionOf(first.id)).status === 'IDLE' || undefined)
  await change('resumeQueuedFollowUps', { sessionId: paused.id })
  const runId = queuedFollowUp?.runId ?? ''
  await until('the follow-up to start', async () => {
    const found = await stage.ask<{ run: object | null }>('query ($id: ID!) { run(id: $id) { id } }', { id: runId })
    return found.run ?? undefined
  })
  assert.equal((await untilRun(stage.ask, runId, ['SUCCEEDED'])).result?.text, 'after')
})

test('a follow-up that is sent twice with one key is queued once, and is not created after it was withdrawn', async () => {
  const going = gate(stage)
  const first = await startRun(stage.ask, { worktreeId: machine.worktree('c'), command: going.command })
  await going.untilBegun()
  const one = await send(first.id, 'say once', { idempotencyKey: 'k1' })
  const two = await send(first.id, 'say once', { idempotencyKey: 'k1' })
  assert.deepEqual(one, two)
  const { id: sessionId, queuedFollowUps } = await sessionOf(first.id)
  assert.equal(queuedFollowUps.totalCount, 1)
  const runId = one.queuedFollowUp?.runId
  await change('withdrawQueuedFollowUp', { sessionId, runId })
  const late = await send(first.id, 'say once', { idempotencyKey: 'k1' })
  assert.deepEqual(late, { run: null, queuedFollowUp: null })
  await going.open()
  await untilRun(stage.ask, first.id, ['SUCCEEDED'])
  const { run } = await stage.ask<{ run: object | null }>('query ($id: ID!) { run(id: $id) { id } }', { id: runId })
  assert.equal(run, null)
})
