/** A run whose agent has fallen silent: LOST after 30 s of canceling, its slot and its reservation held until an operator gives them back. */

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { jobIdOf, stepIdOf } from '../../../machines/work/steps/stepKeys.ts'
import { siblingId } from '../../../spec/core/ids.ts'
import { type BareAgent, reportWorktree, startBareAgent } from '../../kit/program/bareAgent.ts'
import { commandStep } from '../../kit/program/commandStep.ts'
import { lookAt, makeWorkflow, mutate, startRun, startWorkflow, untilRun } from '../../kit/program/runs.ts'
import { refusal, startTestProgram, type TestProgram } from '../../kit/program/testProgram.ts'
import { until } from '../../kit/program/until.ts'

let stage: TestProgram
let agent: BareAgent
let worktrees: Record<string, string>

before(async () => {
  stage = await startTestProgram()
  agent = await startBareAgent(stage, 'silent')
  worktrees = await reportWorktree(stage, agent, '/srv/silent', ['main', 'alone'])
})
after(() => stage?.end())

interface Queue {
  readonly slotsHeld: number
  readonly reservedById: string | null
}
const release = (name: string, input: Readonly<Record<string, unknown>>) =>
  mutate<{ worktreeQueue: Queue }>(stage.ask, name, input, 'worktreeQueue { slotsHeld reservedById }')

interface Release {
  readonly event: string
  readonly principal: string
  readonly payload: { readonly by: string; readonly reason: string; readonly holderId?: string }
}
/** The releases in the journal of the worktree's queue. */
async function releasesOf(worktreeId: string): Promise<readonly Release[]> {
  const { actorHistory } = await stage.ask<{ actorHistory: { nodes: readonly Release[] } }>(
    'query ($id: ID!) { actorHistory(id: $id, first: 100) { nodes { event principal payload } } }',
    { id: siblingId('worktreeQueue', worktreeId) },
  )
  return actorHistory.nodes.filter(({ event }) => event.startsWith('release'))
}

async function accept(runId: string, jobId = siblingId('job', runId)): Promise<void> {
  const offer = await agent.offers.first(
    `the offer of ${jobId}`,
    (one) => one.jobId === jobId && one.signal === 'OFFER',
  )
  await agent.say('acceptJob', { jobId, attempt: offer.attempt }, 'runToken')
}

test('the slot and the reservation of a lost run, not of an active one, can be released, and the waiting runs start', async () => {
  const { main = '', alone = '' } = worktrees
  const run = await startRun(stage.ask, { worktreeId: main, command: 'true' })
  await accept(run.id)
  const definition = { name: 'exclusive', steps: [commandStep('step', 'true')], exclusiveWorktree: true }
  const workflowId = await makeWorkflow(stage.ask, definition)
  const exclusive = await startWorkflow(stage.ask, workflowId, alone)
  await accept(exclusive.id, jobIdOf(stepIdOf(exclusive.id, 0), 1))
  const next = await startRun(stage.ask, { worktreeId: main, command: 'true' })
  const behind = await startRun(stage.ask, { worktreeId: alone, kind: 'PLAN', command: 'true' })

  for (const [name, input] of [
    ['releaseWorktreeSlot', { worktreeId: main, holderId: run.id }],
    ['releaseWorktreeReservation', { worktreeId: alone }],
  ] as const) {
    const early = await refusal(release(name, input))
    assert.equal(early.code, 'FAILED_PRECONDITION', early.message)
    assert.match(early.message, /has not ended: cancel it first/)
  }
  for (const { id } of [run, exclusive]) await mutate(stage.ask, 'cancelRun', { runId: id }, 'run { status }')
  await agent.offers.first('the request to stop', ({ signal }) => signal === 'CANCEL')
  for (const { id } of [run, exclusive]) {
    const lost = await untilRun(stage.ask, id, ['LOST'], 36_000)
    assert.equal(lost.problem?.code, 'CANCEL_UNCONFIRMED')
  }
  assert.equal((await lookAt(stage.ask, next.id)).blockedBy?.reason, 'CONCURRENCY_LIMIT')
  assert.equal((await lookAt(stage.ask, behind.id)).blockedBy?.reason, 'RESERVED')

  const wrong = await refusal(release('releaseWorktreeSlot', { worktreeId: main, holderId: next.id }))
  assert.equal(wrong.code, 'FAILED_PRECONDITION')
  const slot = await until(
    'the queue to receive the end of the run',
    async () =>
      await release('releaseWorktreeSlot', { worktreeId: main, holderId: run.id, reason: 'no process is left' }).catch(
        () => undefined,
      ),
  )
  const reservation = await until(
    'the queue to receive the end of the run',
    async () =>
      await release('releaseWorktreeReservation', { worktreeId: alone, reason: 'looked at it' }).catch(() => undefined),
  )
  assert.equal(reservation.worktreeQueue.reservedById, null)
  assert.ok(slot.worktreeQueue.slotsHeld <= 1)
  await accept(next.id)
  const again = await refusal(release('releaseWorktreeReservation', { worktreeId: alone }))
  assert.equal(again.code, 'FAILED_PRECONDITION')
  await accept(behind.id)
  // The reservation has ended, but the exclusive run still holds its slot.
  const held = await release('releaseWorktreeSlot', { worktreeId: alone, holderId: exclusive.id })
  assert.equal(held.worktreeQueue.slotsHeld, 1, 'the run behind it has a slot, the lost one has none any more')

  const [ofSlot] = await releasesOf(main)
  const [ofReservation] = await releasesOf(alone)
  assert.deepEqual([ofSlot?.event, ofSlot?.payload.holderId], ['releaseSlot', run.id])
  assert.deepEqual([ofSlot?.payload.reason, ofReservation?.payload.reason], ['no process is left', 'looked at it'])
  for (const released of [ofSlot, ofReservation]) {
    assert.match(String(released?.payload.by), /^key_/)
    assert.equal(released?.payload.by, released?.principal)
  }
})
