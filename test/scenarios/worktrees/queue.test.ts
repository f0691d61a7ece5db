/** One worktree, many runs: who starts, who waits, for whom, and what a person can do about it. */

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { commandStep } from '../../kit/program/commandStep.ts'
import { type Machine, startMachine } from '../../kit/program/machine.ts'
import {
  lookAt,
  makeWorkflow,
  mutate,
  queueOf,
  type RunView,
  runFields,
  startRun,
  startWorkflow,
  untilRun,
} from '../../kit/program/runs.ts'
import { watch } from '../../kit/program/socket.ts'
import { gate, refusal, startTestProgram, type TestProgram } from '../../kit/program/testProgram.ts'
import { until } from '../../kit/program/until.ts'

let stage: TestProgram
let machine: Machine

before(async () => {
  stage = await startTestProgram()
  machine = await startMachine(stage, { branches: ['limits', 'mixed', 'exclusive', 'paused', 'drained'] })
})
after(() => stage?.end())

const configure = (runId: string, worktreeConcurrencyLimit: number | null) =>
  mutate<{ run: RunView }>(
    stage.ask,
    'updateRunConfiguration',
    { runId, configuration: { worktreeConcurrencyLimit } },
    `run { ${runFields} }`,
  )

test('sessions run one at a time, plans run beside them, and the limit of a queued run can be changed', async () => {
  const worktreeId = machine.worktree('limits')
  const [first, second, plan] = [gate(stage), gate(stage), gate(stage)]
  const one = await startRun(stage.ask, { worktreeId, command: first.command })
  await first.untilBegun()
  const two = await startRun(stage.ask, { worktreeId, command: second.command })
  const three = await startRun(stage.ask, { worktreeId, command: 'true' })
  const planned = await startRun(stage.ask, { worktreeId, kind: 'PLAN', command: plan.command })
  await plan.untilBegun()
  assert.equal(planned.worktreeConcurrencyLimit, 0, 'a plan has no limit of its own')
  const queue = await until('two sessions in the queue', async () => {
    const entries = await queueOf(stage.ask, worktreeId)
    return entries.length === 2 ? entries : undefined
  })
  assert.deepEqual(
    queue.map(({ id, position, phase, blockedBy }) => ({ id, position, phase, blockedBy })),
    [
      {
        id: two.id,
        position: 1,
        phase: 'WAITING_FOR_CONCURRENCY',
        blockedBy: {
          reason: 'CONCURRENCY_LIMIT',
          runIds: [one.id],
          message: 'Slots held by runs of the same kind: 1. The limit of this run: 1.',
        },
      },
      {
        id: three.id,
        position: 2,
        phase: 'WAITING_FOR_CONCURRENCY',
        blockedBy: { reason: 'SAME_KIND_AHEAD', runIds: [two.id], message: 'An earlier run of the same kind waits.' },
      },
    ],
  )
  const seen = await lookAt(stage.ask, three.id)
  assert.deepEqual([seen.phase, seen.blockedBy], [queue[1]?.phase, queue[1]?.blockedBy], 'the run shows the same')
  assert.equal((await configure(two.id, 2)).run.worktreeConcurrencyLimit, 2)
  await second.untilBegun()
  const late = await refusal(configure(two.id, 3))
  assert.equal(late.code, 'FAILED_PRECONDITION')
  await configure(three.id, 0)
  await untilRun(stage.ask, three.id, ['SUCCEEDED'])
  for (const one of [first, second, plan]) await one.open()
  for (const { id } of [one, two, planned]) await untilRun(stage.ask, id, ['SUCCEEDED'])
  assert.deepEqual(await queueOf(stage.ask, worktreeId), [])
  const { run } = await stage.ask<{ run: { queue: unknown[] } }>('query ($id: ID!) { run(id: $id) { queue { id } } }', {
    id: one.id,
  })
  assert.deepEqual(run.queue, [], 'after its admission a run has no queue')
})

test('invalid limits are refused', async () => {
  const worktreeId = machine.worktree('limits')
  for (const worktreeConcurrencyLimit of [-1, 33, 1.5]) {
    const refused = await refusal(
      startRun(stage.ask, { worktreeId, command: 'true', configuration: { worktreeConcurrencyLimit } }),
    )
    assert.equal(refused.code, 'BAD_USER_INPUT', `${worktreeConcurrencyLimit}: ${refused.message}`)
  }
})

test('an exclusive run waits for the run before it, is not passed by a later one, and then reserves the worktree', async () => {
  const worktreeId = machine.worktree('exclusive')
  const [before, alone] = [gate(stage), gate(stage)]
  const one = await startRun(stage.ask, { worktreeId, command: before.command })
  await before.untilBegun()
  const workflowId = await makeWorkflow(stage.ask, {
    name: 'release',
    steps: [commandStep('check', alone.command)],
    exclusiveWorktree: true,
  })
  const exclusive = await startWorkflow(stage.ask, workflowId, worktreeId)
  await until('the workflow to wait in the queue', async () =>
    (await lookAt(stage.ask, exclusive.id)).blockedBy?.reason === 'WORKTREE_BUSY' ? true : undefined,
  )
  const plan = await startRun(stage.ask, { worktreeId, kind: 'PLAN', command: 'true' })
  const queue = await until('both in the queue', async () => {
    const entries = await queueOf(stage.ask, worktreeId)
    return entries.length === 2 ? entries : undefined
  })
  assert.deepEqual(
    queue.map(({ id, position, blockedBy }) => [id, position, blockedBy.reason, blockedBy.runIds]),
    [
      [exclusive.id, 1, 'WORKTREE_BUSY', [one.id]],
      [plan.id, 2, 'EXCLUSIVE_AHEAD', [exclusive.id]],
    ],
  )
  const ofWorkflow = await queueOf(stage.ask, workflowId)
  assert.deepEqual(
    ofWorkflow.map(({ id, position }) => [id, position]),
    [[exclusive.id, 1]],
  )
  await before.open()
  await alone.untilBegun()
  const reserved = await lookAt(stage.ask, plan.id)
  assert.deepEqual([reserved.blockedBy?.reason, reserved.blockedBy?.runIds], ['RESERVED', [exclusive.id]])
  assert.equal(reserved.phase, 'WAITING_FOR_WORKTREE')
  await alone.open()
  await untilRun(stage.ask, exclusive.id, ['SUCCEEDED'])
  await untilRun(stage.ask, plan.id, ['SUCCEEDED'])
})

test('a paused queue admits no run until it is resumed, and its subscribers receive each change', async () => {
  const worktreeId = machine.worktree('paused')
  interface Change {
    readonly worktreeQueue: { readonly paused: boolean; readonly queued: number; readonly slotsHeld: number }
    readonly entries: readonly { readonly id: string; readonly blockedBy: { readonly reason: string } }[]
  }
  const changes = watch<Change>(
    stage,
    'subscription ($worktreeId: ID!) { worktreeRunQueueChanged(worktreeId: $worktreeId) { worktreeQueue { paused queued slotsHeld } entries { id blockedBy { reason } } } }',
    { worktreeId },
  )
  await changes.first('the queue as it is', () => true)
  const steer = (name: string) =>
    mutate<{ worktreeQueue: { paused: boolean } }>(
      stage.ask,
      name,
      { worktreeId, reason: 'a look' },
      'worktreeQueue { paused }',
    )
  assert.equal((await steer('pauseWorktreeQueue')).worktreeQueue.paused, true)
  assert.equal((await steer('pauseWorktreeQueue')).worktreeQueue.paused, true, 'pausing again changes nothing')
  const run = await startRun(stage.ask, { worktreeId, command: 'true' })
  await changes.first('the run that waits', ({ entries }) => entries[0]?.blockedBy.reason === 'QUEUE_PAUSED')
  const { viewer } = await stage.ask<{ viewer: { id: string } }>('{ viewer { id } }')
  const { paused } = await stage.ask<{
    paused: {
      blockedBy: {
        message: string
        pause: { pausedBy: { name: string; user: { name: string } }; pausedById: string; since: string; reason: string }
      }
    }
  }>(
    'query ($id: ID!) { paused: run(id: $id) { blockedBy { message pause { pausedById since reason pausedBy { ... on ApiKey { name user { name } } } } } } }',
    { id: run.id },
  )
  const { message, pause } = paused.blockedBy
  assert.match(pause.pausedById, /^key_/, `paused by the key of ${viewer.id}`)
  assert.ok(Math.abs(Date.parse(pause.since) - Date.now()) < 60_000)
  assert.deepEqual(
    [pause.reason, message],
    ['a look', `The queue was paused by ${pause.pausedById} at ${pause.since}: a look`],
  )
  assert.equal((await steer('resumeWorktreeQueue')).worktreeQueue.paused, false)
  await untilRun(stage.ask, run.id, ['SUCCEEDED'])
  await changes.first(
    'the empty queue',
    ({ worktreeQueue, entries }) =>
      !worktreeQueue.paused && entries.length === 0 && worktreeQueue.slotsHeld === 0 && worktreeQueue.queued === 0,
  )
  await changes.stop()
})

test('the queue of a worktree names the runs that hold its slots, and who paused it', async () => {
  const worktreeId = machine.worktree('paused')
  const held = gate(stage)
  const { id } = await startRun(stage.ask, { worktreeId, title: 'Holds the slot', command: held.command })
  await held.untilBegun()
  await mutate(stage.ask, 'pauseWorktreeQueue', { worktreeId, reason: 'a release' }, 'worktreeQueue { id }')
  const read = async () =>
    await stage.ask<{ worktree: { queue: unknown } }>(
      `query ($id: ID!) { worktree(id: $id) { queue {
        slotHolders { id sharesSlot run { title } } pause { reason pausedBy { ... on ApiKey { user { name } } } }
      } } }`,
      { id: worktreeId },
    )
  const { viewer } = await stage.ask<{ viewer: { name: string } }>('{ viewer { name } }')
  assert.deepEqual((await read()).worktree.queue, {
    slotHolders: [{ id, sharesSlot: false, run: { title: 'Holds the slot' } }],
    pause: { reason: 'a release', pausedBy: { user: { name: viewer.name } } },
  })
  await mutate(stage.ask, 'resumeWorktreeQueue', { worktreeId }, 'worktreeQueue { id }')
  await held.open()
  await untilRun(stage.ask, id, ['SUCCEEDED'])
  const free = await until('the slot to be free', async () => {
    const { queue } = (await read()).worktree
    return JSON.stringify(queue).includes('sharesSlot') ? undefined : queue
  })
  assert.deepEqual(free, { slotHolders: [], pause: null })
})

test('a draining agent finishes its active run, and no other run starts until the drain ends', async () => {
  const worktreeId = machine.worktree('drained')
  const going = gate(stage)
  const one = await startRun(stage.ask, { worktreeId, command: going.command })
  await going.untilBegun()
  const drain = (drain: boolean) =>
    mutate<{ agent: { draining: boolean } }>(
      stage.ask,
      'drainAgent',
      { agentId: machine.agentId, drain },
      'agent { draining }',
    )
  assert.equal((await drain(true)).agent.draining, true)
  const two = await startRun(stage.ask, { worktreeId: machine.worktree('paused'), command: 'true' })
  const blocked = await until('the new run to wait for the drain', async () => {
    const run = await lookAt(stage.ask, two.id)
    return run.blockedBy?.reason === 'AGENT_DRAINING' ? run : undefined
  })
  assert.equal(blocked.phase, 'WAITING_FOR_AGENT')
  await going.open()
  await untilRun(stage.ask, one.id, ['SUCCEEDED'])
  assert.equal((await lookAt(stage.ask, two.id)).status, 'QUEUED')
  assert.equal((await drain(false)).agent.draining, false)
  await untilRun(stage.ask, two.id, ['SUCCEEDED'])
})
