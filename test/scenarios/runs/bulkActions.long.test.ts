/** Many runs are canceled or retried at once: with a preview, in steps, and exactly once. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { commandStep } from '../../kit/program/commandStep.ts'
import { type Machine, startMachine } from '../../kit/program/machine.ts'
import { rpc } from '../../kit/program/mcp.ts'
import { makeWorkflow, mutate, startRun, startWorkflow, untilRun } from '../../kit/program/runs.ts'
import { refusal, startTestProgram, type TestProgram } from '../../kit/program/testProgram.ts'

let stage: TestProgram
let machine: Machine

before(async () => {
  stage = await startTestProgram()
  machine = await startMachine(stage, { branches: ['waits', 'many', 'once', 'listed', 'gone'] })
})
after(() => stage?.end())

interface Preview {
  matchingCount: number
  targetCount: number
  acceptingCount: number
  uncheckedCount: number
  moreRefusals: number
  createdBefore: string
  stepMax: number
  refusals: { code: string; message: string; count: number; runIds: string[] }[]
}
interface Step {
  results: {
    runId: string
    done: boolean
    run: { id: string; status: string; retryOfId: string | null; problem: { message: string } | null } | null
    code: string | null
    message: string | null
  }[]
  remainingCount: number
  continueAfter: string | null
}
type Selection = { filter: object } | { runIds: readonly string[] }

const preview = async (action: string, selection: Selection) =>
  (
    await stage.ask<{ previewBulkRunAction: Preview }>(
      `query ($action: BulkRunAction!, $selection: RunSelectionInput!) { previewBulkRunAction(action: $action, selection: $selection) {
        matchingCount targetCount acceptingCount uncheckedCount moreRefusals createdBefore stepMax
        refusals { code message count runIds } } }`,
      { action, selection },
    )
  ).previewBulkRunAction
const perform = (input: Readonly<Record<string, unknown>>) =>
  mutate<Step>(
    stage.ask,
    'performBulkRunAction',
    input,
    'results { runId done run { id status retryOfId problem { message } } code message } remainingCount continueAfter',
  )
const startAt = async (branch: string, command: string) =>
  (await startRun(stage.ask, { worktreeId: machine.worktree(branch), command })).id
const countOf = async (worktreeId: string) =>
  (
    await stage.ask<{ runs: { totalCount: number } }>('query ($id: ID) { runs(worktreeId: $id) { totalCount } }', {
      id: worktreeId,
    })
  ).runs.totalCount

test('all waiting runs of a filter are canceled, and the history of each has the reason', async () => {
  const worktreeId = machine.worktree('waits')
  const ended = await startAt('waits', 'true')
  await untilRun(stage.ask, ended, ['SUCCEEDED'])
  const ids: string[] = []
  for (let count = 0; count < 3; count++) ids.push(await startAt('waits', 'sleep 60'))
  const selection = { filter: { worktreeId } }
  const before = await preview('CANCEL', selection)
  assert.deepEqual(
    [before.matchingCount, before.targetCount, before.acceptingCount, before.uncheckedCount, before.stepMax],
    [4, 3, 3, 0, 100],
  )
  assert.deepEqual(before.refusals, [
    { code: 'FAILED_PRECONDITION', message: 'The run has ended.', count: 1, runIds: [] },
  ])
  const input = {
    action: 'CANCEL',
    selection,
    createdBefore: before.createdBefore,
    expectedCount: before.targetCount,
    reason: 'wrong branch',
  }
  const tooFew = await refusal(perform({ ...input, expectedCount: 2 }))
  assert.deepEqual([tooFew.code, tooFew.details.field], ['CONFLICT', 'expectedCount'])
  const step = await perform(input)
  assert.deepEqual(
    step.results.map(({ runId, done }) => [runId, done]),
    ids.toReversed().map((id) => [id, true]),
  )
  assert.deepEqual([step.remainingCount, step.continueAfter], [0, null])
  for (const id of ids) {
    const { problem } = await untilRun(stage.ask, id, ['CANCELED'])
    assert.equal(problem?.message, 'wrong branch')
    const { actorHistory } = await stage.ask<{
      actorHistory: { nodes: { event: string; cause: { reason: string } }[] }
    }>('query ($id: ID!) { actorHistory(id: $id) { nodes { event cause { reason } } } }', { id })
    assert.equal(actorHistory.nodes.find(({ event }) => event === 'cancel')?.cause.reason, 'wrong branch')
  }
})

test('more than 100 runs are canceled in steps, each of which continues the one before, and newer runs are not affected', async () => {
  const worktreeId = machine.worktree('many')
  const ids: string[] = []
  for (let count = 0; count < 104; count++) ids.push(await startAt('many', 'sleep 60'))
  const selection = { filter: { worktreeId } }
  const { createdBefore, targetCount } = await preview('CANCEL', selection)
  assert.equal(targetCount, 104)
  const later = await startAt('many', 'sleep 60')
  const input = { action: 'CANCEL', selection, createdBefore }
  const first = await perform({ ...input, expectedCount: targetCount })
  assert.deepEqual([first.results.length, first.remainingCount, first.continueAfter], [100, 4, ids[4]])
  const second = await perform({ ...input, expectedCount: first.remainingCount, after: first.continueAfter })
  assert.deepEqual([second.results.length, second.remainingCount, second.continueAfter], [4, 0, null])
  assert.deepEqual(
    [...first.results, ...second.results].map(({ runId }) => runId),
    ids.toReversed(),
  )
  assert.ok([...first.results, ...second.results].every(({ done }) => done))
  assert.notEqual((await untilRun(stage.ask, later, ['QUEUED', 'RUNNING', 'ADMITTED', 'STARTING'])).status, 'CANCELED')
  await mutate(stage.ask, 'cancelRun', { runId: later }, 'run { id }')
})

test('a repeat with the same key retries nothing again and returns the first results', async () => {
  const workflowId = await makeWorkflow(stage.ask, { name: 'Fails', steps: [commandStep('s', 'exit 1')] })
  const worktreeId = machine.worktree('once')
  const ids: string[] = []
  for (let count = 0; count < 2; count++) {
    const { id } = await startWorkflow(stage.ask, workflowId, worktreeId)
    await untilRun(stage.ask, id, ['FAILED'])
    ids.push(id)
  }
  const session = await startAt('once', 'exit 1')
  await untilRun(stage.ask, session, ['FAILED'])
  const selection = { filter: { worktreeId, statuses: ['FAILED'] } }
  const { createdBefore, targetCount, acceptingCount } = await preview('RETRY', selection)
  assert.deepEqual([targetCount, acceptingCount], [3, 3])
  const input = { action: 'RETRY', selection, createdBefore, expectedCount: targetCount, idempotencyKey: 'once' }
  const [first, atOnce] = await Promise.all([perform(input), perform(input)])
  const created = (step: Step) => step.results.map(({ run }) => run?.id)
  assert.deepEqual(
    first.results.map(({ runId, done, run }) => [runId, done, run?.retryOfId]),
    [session, ...ids.toReversed()].map((id) => [id, true, id]),
  )
  assert.deepEqual(created(atOnce), created(first))
  for (const id of created(first)) await untilRun(stage.ask, id ?? '', ['FAILED'])
  assert.deepEqual(created(await perform(input)), created(first))
  assert.equal(await countOf(worktreeId), 6)
  assert.equal((await refusal(perform({ ...input, expectedCount: 9 }))).code, 'CONFLICT')
})

test('the preview and the action refuse runs that cannot be retried: missing and active ones, and an older turn of a session', async () => {
  const first = await startAt('listed', 'exit 1')
  await untilRun(stage.ask, first, ['FAILED'])
  const retried = (await perform({ action: 'RETRY', selection: { runIds: [first] } })).results[0]?.run?.id ?? ''
  await untilRun(stage.ask, retried, ['FAILED'])
  const active = await startAt('gone', 'sleep 60')
  const missing = 'run_01h455vb4pex5vsknk084sn02q'
  const runIds = [retried, first, active, missing]
  const { refusals, acceptingCount, matchingCount, targetCount } = await preview('RETRY', { runIds })
  assert.deepEqual([matchingCount, targetCount, acceptingCount], [3, 4, 1])
  assert.deepEqual(
    refusals.map(({ count, runIds: [id] }) => [count, id]).sort(),
    [
      [1, active],
      [1, first],
      [1, missing],
    ].sort(),
  )
  const { results } = await perform({ action: 'RETRY', selection: { runIds }, idempotencyKey: 'listed' })
  assert.deepEqual(
    results.map(({ runId, done, code }) => [runId, done, code]),
    [
      [retried, true, null],
      [first, false, 'FAILED_PRECONDITION'],
      [active, false, 'FAILED_PRECONDITION'],
      [missing, false, 'NOT_FOUND'],
    ],
  )
  assert.match(results[1]?.message ?? '', /newer run of the same session/)
  const messages = new Map(refusals.map(({ runIds: [id = ''], message }) => [id, message]))
  assert.equal(messages.get(first), results[1]?.message)
  const canceled = await preview('CANCEL', { runIds: [active, first, missing] })
  assert.deepEqual([canceled.targetCount, canceled.acceptingCount], [3, 1])
  const cancel = await perform({ action: 'CANCEL', selection: { runIds: [active, first, missing] } })
  assert.deepEqual(
    cancel.results.map(({ done }) => done),
    [true, false, false],
  )
})

test('a missing or superfluous input is refused, and the error names the field', async () => {
  const id = await startAt('gone', 'true')
  const cases: readonly (readonly [string, object])[] = [
    ['createdBefore', { selection: { filter: {} }, expectedCount: 1 }],
    ['expectedCount', { selection: { filter: {} }, createdBefore: '2026-01-01T00:00:00Z' }],
    ['after', { selection: { runIds: [id] }, after: id }],
    ['selection.runIds.1', { selection: { runIds: [id, id] } }],
    ['selection', { selection: { runIds: [id], filter: {} } }],
    ['selection.runIds', { selection: { runIds: Array.from({ length: 101 }, () => id) } }],
  ]
  for (const [field, input] of cases) {
    const { code, message } = await refusal(perform({ action: 'CANCEL', ...input }))
    assert.equal(code, 'BAD_USER_INPUT', field)
    assert.ok(message.includes(field.split('.')[0] ?? field), `${field}: ${message}`)
  }
  assert.equal((await refusal(preview('CANCEL', { runIds: [id, id] }))).code, 'BAD_USER_INPUT')
})

test('an AI client previews and performs a bulk action with tools', async () => {
  const call = async (name: string, given: object) =>
    (await rpc(stage, 'tools/call', { name, arguments: given }, { headers: { 'x-api-key': stage.key } })).body?.result
  const id = await startAt('gone', 'sleep 60')
  const previewed = await call('preview_bulk_run_action', { action: 'CANCEL', selection: { runIds: [id] } })
  assert.equal(previewed.structuredContent.acceptingCount, 1)
  const performed = await call('perform_bulk_run_action', { action: 'CANCEL', selection: { runIds: [id] } })
  assert.equal(performed.structuredContent.results[0].done, true)
})
