/**
 * A small history without violations: a session with two turns on one worktree. The second is a follow-up that was queued and edited. Two more
 * were withdrawn and are queued. soundWorkflows.ts adds the runs of workflows. Each test puts a violation into one place.
 */
import type { SeenTransition } from '../seen.ts'
import { addActor, addJob, asked, id, textOf, type World } from './history.ts'
import { addWorkflows } from './soundWorkflows.ts'

export const worktreeId = id('wt', 1)
export const queueId = id('que', 1)

/** Adds a run that began and ended at these times and that this transition of the queue admitted. */
export function addRun(
  world: World,
  n: number,
  queuedAt: number,
  admittedBy: number,
  began: number,
  ended: number,
  more: { limit?: number; exclusive?: boolean; owner?: number; followUp?: string } = {},
): void {
  const { limit = 1, exclusive = false, owner = n, followUp } = more
  const [run, job] = [id('run', n), id('job', n)]
  const step = followUp ?? 'one'
  const spec =
    followUp === undefined
      ? { steps: [{ name: 'command', command: `sh 'work.sh' 'record' '${textOf(step)}'` }] }
      : { prompt: textOf(followUp) }
  const ownerId = id('ses', owner)
  const init = { kind: 'SESSION', title: `t${n}`, worktreeId, ownerId, limit, exclusive, spec, createdAt: queuedAt }
  if (!world.actors.has(ownerId))
    addActor(world, 'session', ownerId, {}, { isQueuePaused: false }, [[queuedAt, 'create', 'IDLE']])
  addActor(world, 'run', run, init, { queue: { queuedAt, limit }, problem: null }, [
    [queuedAt, 'create', 'QUEUED'],
    [began - 1, 'admit', 'ADMITTED', {}, `${queueId}:${admittedBy}:0`],
    [ended + 1, 'jobEnded', 'SUCCEEDED', {}, `${job}:2:0`],
  ])
  addJob(world, job, { step, began, ended })
}

export const enqueue = (n: number, more: SeenTransition['payload'] = {}): SeenTransition['payload'] => ({
  runId: id('run', n),
  kind: 'SESSION',
  limit: 1,
  exclusive: false,
  ready: true,
  revision: 0,
  ...more,
})

export function soundWorld(): World {
  const world: World = {
    asked: [],
    lines: [],
    actors: new Map(),
    journal: new Map(),
    streams: new Map(),
    followUps: new Map(),
    stepOutputs: new Map(),
    outbox: [],
    blocked: new Map(),
    at: 10_000,
  }
  addRun(world, 1, 10, 2, 100, 200)
  addRun(world, 2, 210, 4, 300, 400, { owner: 1, followUp: 'two-e1' })
  addActor(world, 'worktreeQueue', queueId, { worktreeId }, {}, [
    [1, 'create', 'OPEN'],
    [10, 'enqueue', 'OPEN', enqueue(1)],
    [210, 'enqueue', 'OPEN', enqueue(2)],
    [250, 'ended', 'OPEN', { runId: id('run', 1) }],
    [401, 'ended', 'OPEN', { runId: id('run', 2) }],
    [402, 'settled', 'OPEN', { runId: id('run', 2) }],
  ])
  // The first run releases its slot with the transition that admits the second one.
  world.journal.get(queueId)?.splice(3, 1, ...settledAndEnded())
  const transitions = world.journal.get(queueId) ?? []
  world.journal.set(
    queueId,
    transitions.map((transition, index) => ({ ...transition, seq: index + 1 })),
  )
  const queue = world.actors.get(queueId)
  if (queue) world.actors.set(queueId, { ...queue, seq: transitions.length })
  readmit(world, 2, 5)
  const input = { worktreeId, kind: 'SESSION', title: 't1', idempotencyKey: 'k1' }
  world.asked.push(asked('createAgentRun', input, { type: 'accepted', object: { id: id('run', 1) } }, 5))
  addFollowUps(world)
  addWorkflows(world)
  return world
}

/** The run 2 was queued as a follow-up and edited, the run 8 was withdrawn, and the run 9 is still queued. */
function addFollowUps(world: World): void {
  const sessionId = id('ses', 1)
  const report = (n: number, status: string) => ({ runId: id('run', n), status })
  addActor(world, 'session', sessionId, {}, { isQueuePaused: true }, [
    [10, 'create', 'QUEUED'],
    [100, 'runChanged', 'RUNNING', report(1, 'RUNNING')],
    [110, 'turnAsked', 'RUNNING', { runId: id('run', 2) }],
    [130, 'followUpEdited', 'RUNNING', { runId: id('run', 2) }],
    [150, 'turnAsked', 'RUNNING', { runId: id('run', 8) }],
    [160, 'turnAsked', 'RUNNING', { runId: id('run', 9) }],
    [170, 'followUpWithdrawn', 'RUNNING', { runId: id('run', 8) }],
    [209, 'runChanged', 'QUEUED', report(1, 'SUCCEEDED')],
    [220, 'runChanged', 'RUNNING', report(2, 'RUNNING')],
    [405, 'runChanged', 'IDLE', report(2, 'SUCCEEDED')],
  ])
  world.followUps.set(sessionId, { queued: [id('run', 9)], withdrawn: [id('run', 8)] })
  const at = { 2: [105, 115], 8: [146, 151], 9: [152, 165] } as const
  for (const [n, step] of [
    [2, 'two'],
    [8, 'eight'],
    [9, 'nine'],
  ] as const) {
    const input = { runId: id('run', 1), prompt: textOf(step), idempotencyKey: `f${n}` }
    const [sentAt, answeredAt] = at[n]
    const answer = { type: 'accepted', object: { id: id('run', n) } } as const
    world.asked.push({ ...asked('createRunFollowUp', input, answer, sentAt), answeredAt })
  }
  const edit = { sessionId, runId: id('run', 2), prompt: textOf('two-e1'), expectedRevision: 1 }
  const done = { type: 'accepted', object: { id: sessionId } } as const
  world.asked.push(asked('updateQueuedFollowUp', edit, done, 120))
  world.asked.push(asked('withdrawQueuedFollowUp', { sessionId, runId: id('run', 8) }, done, 165))
}

function settledAndEnded(): SeenTransition[] {
  const runId = id('run', 1)
  const transition = {
    seq: 0,
    at: 250,
    status: 'OPEN',
    from: 'OPEN',
    to: 'OPEN',
    payload: { runId },
    cause: { type: 'actor' },
  }
  return [
    { ...transition, event: 'ended' },
    { ...transition, event: 'settled' },
  ]
}

/** Records that another transition of the queue admitted a run. */
export function readmit(world: World, n: number, seq: number): void {
  const transitions = world.journal.get(id('run', n)) ?? []
  world.journal.set(
    id('run', n),
    transitions.map((transition) =>
      transition.event === 'admit'
        ? { ...transition, cause: { type: 'actor', id: `${queueId}:${seq}:0` } }
        : transition,
    ),
  )
}
