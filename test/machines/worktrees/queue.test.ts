/** The queue of a worktree in the cases that chance seldom makes: clocks that go back, words that come late, crowds. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fanOut } from '../../../machines/framework/act.ts'
import { admissible, emptyBook, entryOf, mark, place } from '../../../machines/worktrees/admission.ts'
import type { QueueContext } from '../../../machines/worktrees/queueActions.ts'
import { SampleActor } from '../../kit/runtime/sampleActor.ts'

const newQueue = () => new SampleActor<QueueContext>('worktreeQueue', 'que_1')
const runId = (n: number): string => `run_${String(n).padStart(6, '0')}`

function enqueue(runId: string, more = {}) {
  const common = { kind: 'PLAN', limit: 1, exclusive: false, ready: true, revision: 0, above: [] }
  return { type: 'enqueue', runId, ...common, ...more }
}

const toRuns = (queue: SampleActor<QueueContext>, event: string): string[] =>
  queue.messages.filter((tell) => tell.event.type === event).map(({ to }) => to.id)

test('a run that is enqueued later is placed later, even if the clock was set back', () => {
  const entry = { kind: 'PLAN', limit: 1, exclusive: false, revision: 0, ready: true } as const
  const first = place(emptyBook, 'run_b', entry, [], 5_000)
  const second = place(first.book, 'run_c', entry, [], 4_000)
  assert.equal(second.entry.queuedAt, 5_000)
  assert.equal(admissible(second.book, false), 'run_b')
})

test('an older configuration that arrives later is ignored', () => {
  const queue = newQueue()
    .send({ type: 'pause' })
    .send(enqueue('run_a', { ready: false, revision: 3 }))
  const configure = { type: 'configure', runId: 'run_a', limit: 5, ready: true, above: [] }
  for (const revision of [2, 3]) queue.send({ ...configure, revision })
  assert.deepEqual([entryOf(queue.context, 'run_a')?.limit, entryOf(queue.context, 'run_a')?.state], [1, 'OVERLAP'])
  queue.send({ ...configure, revision: 4 })
  assert.deepEqual([entryOf(queue.context, 'run_a')?.limit, entryOf(queue.context, 'run_a')?.state], [5, 'WAITING'])
})

test('a slot goes to the next run when its run has ended and is settled, in either order, and not before', () => {
  for (const [one, other] of [
    ['ended', 'settled'],
    ['settled', 'ended'],
  ] as const) {
    const queue = newQueue().send(enqueue('run_a')).send(enqueue('run_b')).send({ type: one, runId: 'run_a' })
    assert.deepEqual(toRuns(queue, 'admit'), [])
    queue.send({ type: other, runId: 'run_a' })
    assert.deepEqual(toRuns(queue, 'admit'), ['run_b'])
  }
})

test('the slot of an ended run is kept while a child run shares it', () => {
  const queue = newQueue()
    .send(enqueue('run_a'))
    .send(enqueue('run_c', { above: ['run_a'] }))
    .send(enqueue('run_b'))
  assert.deepEqual(queue.context.held, { PLAN: 1, SESSION: 0, WORKFLOW: 0, BUILD: 0 })
  for (const type of ['ended', 'settled']) queue.send({ type, runId: 'run_a' })
  assert.equal(queue.context.waiting, 1)
  queue.send({ type: 'ended', runId: 'run_c' }).send({ type: 'settled', runId: 'run_c' })
  assert.deepEqual(toRuns(queue, 'admit'), ['run_b'])
})

test('a run shares the slot of the nearest run above it on its worktree, even with another worktree between them', () => {
  const queue = newQueue().send(enqueue('run_a'))
  queue.send(enqueue('run_c', { above: ['run_a', 'run_elsewhere'] }))
  assert.deepEqual(toRuns(queue, 'admit'), ['run_c'])
  assert.deepEqual(queue.context.held, { PLAN: 1, SESSION: 0, WORKFLOW: 0, BUILD: 0 })
  // Of several above it, the nearest keeps its slot for it.
  queue.send(enqueue('run_d', { above: ['run_a', 'run_elsewhere', 'run_c'] }))
  assert.equal(entryOf(queue.context, 'run_d')?.rides, 'run_c')
})

test('a run that waited for an overlap also shares the slot of a run above it, with another worktree between them', () => {
  const above = ['run_a', 'run_elsewhere']
  const queue = newQueue()
    .send(enqueue('run_a'))
    .send(enqueue('run_c', { above, ready: false }))
  queue.send({ type: 'configure', runId: 'run_c', limit: 1, ready: true, revision: 1, above })
  assert.deepEqual(toRuns(queue, 'admit'), ['run_c'])
})

const stops = {
  pausing: { type: 'pause' },
  draining: { type: 'agentDrain', draining: true, revision: 1 },
}
for (const [name, stop] of Object.entries(stops)) {
  test(`${name} stops only top-level runs: a child of a run on another worktree is admitted, and waits for no top-level run`, () => {
    const queue = newQueue()
      .send(stop)
      .send(enqueue('run_top', { exclusive: true }))
    assert.deepEqual(toRuns(queue, 'admit'), [])
    queue.send(enqueue('run_child', { above: ['run_elsewhere'] }))
    assert.deepEqual(toRuns(queue, 'admit'), ['run_child'])
    // Its limit and its place among its like hold all the same.
    queue.send(enqueue('run_child2', { above: ['run_elsewhere'] }))
    assert.deepEqual(toRuns(queue, 'admit'), [])
    for (const type of ['ended', 'settled']) queue.send({ type, runId: 'run_child' })
    assert.deepEqual(toRuns(queue, 'admit'), ['run_child2'])
  })

  test(`${name} lets child runs start that waited behind a top-level run`, () => {
    const queue = newQueue()
      .send(enqueue('run_a', { kind: 'WORKFLOW', exclusive: true }))
      .send(enqueue('run_top', { kind: 'SESSION' }))
      .send(enqueue('run_child', { kind: 'SESSION', above: ['run_elsewhere'] }))
      .send({ type: 'ended', runId: 'run_a' })
    queue.send(stop).send({ type: 'settled', runId: 'run_a' })
    assert.deepEqual(toRuns(queue, 'admit'), ['run_child'])
  })
}

test('an exclusive run that holds a slot blocks the child runs that a stopped queue would admit', () => {
  const queue = newQueue()
    .send(enqueue('run_a', { exclusive: true }))
    .send(stops.pausing)
  queue.send(enqueue('run_child', { above: ['run_elsewhere'] }))
  assert.deepEqual(toRuns(queue, 'admit'), [])
})

test('no run starts while the agent drains, and an older drain message does not end the drain', () => {
  const drain = { type: 'agentDrain' }
  const queue = newQueue()
    .send({ ...drain, draining: true, revision: 3 })
    .send(enqueue('run_a'))
  assert.deepEqual(toRuns(queue, 'admit'), [])
  assert.equal(queue.try({ ...drain, draining: false, revision: 2 }).type, 'repeated')
  assert.equal(queue.context.drain.draining, true)
  queue.send({ ...drain, draining: false, revision: 4 })
  assert.deepEqual(toRuns(queue, 'admit'), ['run_a'])
})

test('a run that refuses its admission frees its slot, and a run with a slot that refuses its placement keeps the slot', () => {
  const refused = (sent: string) => ({
    type: 'refused',
    effect: 'tell',
    sent,
    code: 'X',
    message: 'x',
    echo: 'run_a',
    by: {},
  })
  const queue = newQueue().send(enqueue('run_a')).send(enqueue('run_b'))
  queue.send(refused('placed'))
  assert.equal(entryOf(queue.context, 'run_a')?.state, 'HELD')
  queue.send(refused('admit'))
  assert.deepEqual(toRuns(queue, 'admit'), ['run_b'])
})

test('when its agent is revoked, a queue notifies all waiting runs in slices, and keeps no slot for an ended run', () => {
  const queue = newQueue().send(enqueue(runId(0)))
  for (let n = 1; n <= fanOut + 50; n++) queue.send(enqueue(runId(n)))
  queue.send({ type: 'ended', runId: runId(0) })
  queue.send({ type: 'agentRevoked' })
  const told = new Set(toRuns(queue, 'agentRevoked'))
  assert.equal(told.size, fanOut)
  assert.ok(queue.sent.includes('worktreeQueue.continue'))
  queue.send({ type: 'continue' })
  for (const id of toRuns(queue, 'agentRevoked')) told.add(id)
  assert.deepEqual([told.size, queue.context.waiting, queue.context.members.size], [fanOut + 50, 0, 0])
  assert.equal(queue.sent.includes('worktreeQueue.continue'), false)
  queue.send(enqueue('run_late'))
  assert.deepEqual(queue.sent, ['run.agentRevoked'])
})

test('a mark on a run that holds no slot changes nothing', () => {
  assert.equal(mark(emptyBook, 'run_x', { ended: { jobs: 1 } }), emptyBook)
})

test('a closed queue refuses a pause, a resume and a drain message', () => {
  for (const before of [newQueue(), newQueue().send({ type: 'pause' })]) {
    const queue = before.send({ type: 'closed' })
    for (const event of [{ type: 'pause' }, { type: 'resume' }, { type: 'agentDrain', draining: false, revision: 0 }]) {
      assert.equal(queue.try(event).type, 'refused', event.type)
    }
  }
})

const stepId = `stp_${'0'.repeat(25)}1`
const inRun = { kind: 'WORKFLOW', limit: 0, above: ['run_a'] }

test('the slot of a run is kept until all jobs of its steps have settled, in any order of the reports', () => {
  const ended = { type: 'ended', runId: stepId, jobs: 2 }
  const settled = { type: 'settled', runId: stepId }
  for (const reports of [
    [ended, settled, settled],
    [settled, ended, settled],
    [settled, settled, ended],
  ]) {
    const queue = newQueue().send(enqueue('run_a')).send(enqueue(stepId, inRun)).send(enqueue('run_b'))
    for (const type of ['ended', 'settled']) queue.send({ type, runId: 'run_a' })
    for (const [index, report] of reports.entries()) {
      assert.equal(queue.context.waiting, 1, `after ${index} reports`)
      queue.send(report)
    }
    assert.deepEqual(toRuns(queue, 'admit'), ['run_b'])
  }
})

test('a step that never had a job keeps no slot', () => {
  const queue = newQueue().send(enqueue('run_a')).send(enqueue(stepId, inRun)).send(enqueue('run_b'))
  for (const type of ['ended', 'settled']) queue.send({ type, runId: 'run_a' })
  queue.send({ type: 'ended', runId: stepId, jobs: 0 })
  assert.deepEqual(toRuns(queue, 'admit'), ['run_b'])
})

test('an operator who releases the slot of a run releases its steps, and their late reports change nothing', () => {
  const queue = newQueue().send(enqueue('run_a')).send(enqueue(stepId, inRun)).send(enqueue('run_b'))
  queue.send({ type: 'ended', runId: 'run_a' }).send({ type: 'releaseSlot', holderId: 'run_a' })
  assert.deepEqual(toRuns(queue, 'admit'), ['run_b'])
  for (const report of [{ type: 'ended', jobs: 1 }, { type: 'settled' }])
    assert.equal(queue.try({ ...report, runId: stepId }).type, 'repeated')
})
