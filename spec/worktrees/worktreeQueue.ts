/** The queue of a worktree as people see and steer it. */
import * as v from 'valibot'
import { mutation, query, subscription } from '../core/operation.ts'
import { atMost, id, idOf, int, named, text } from '../core/types.ts'
import { entriesBeside, entriesMax, queueEntry } from './queueEntries.ts'

export const worktreeQueueSchema = named(
  'WorktreeQueue',
  'The queue of one worktree.',
  v.object({
    id,
    worktreeId: id,
    status: v.string(),
    paused: v.boolean(),
    draining: v.boolean(),
    reservedByRunId: v.nullable(id),
    queued: v.pipe(int, v.description('Runs that wait, those that wait for an overlap included.')),
    slotsHeld: int,
  }),
)

export const worktreeRunQueue = query({
  name: 'worktreeRunQueue',
  description:
    'The queued runs of a worktree, plans, sessions and workflows merged in their order; or, given a workflow, its queued runs. If more than 10,000 wait, it is refused unless `first` says how many to return.',
  access: 'people',
  tool: {
    group: 'codebases',
    name: 'get_worktree_run_queue',
    title: 'Get the queue of a worktree',
    description:
      'The runs that wait on a worktree, in their order, each with what it waits for and who holds it (`blockedBy`); or, given a ' +
      'workflow, its waiting runs. Ask for the `first` few where it may be long. Runs under way are in `get_runs`.',
  },
  cost: 100,
  input: v.object({
    worktreeId: v.pipe(id, v.description('The ID of a worktree, `wt_…`, or of a workflow, `wfl_…`.')),
    first: v.pipe(
      v.nullish(v.pipe(int, v.minValue(1), v.maxValue(entriesMax))),
      v.description('At most so many. Without it all are returned, and more than 10,000 are refused.'),
    ),
  }),
  output: v.array(queueEntry),
})

const reason = v.nullish(text({ max: 500 }))

const payload = (typeName: string) =>
  named(typeName, 'The queue after the change.', v.object({ worktreeQueue: worktreeQueueSchema }))

export const steering = v.object({ worktreeId: idOf('worktree'), reason })

export const pauseWorktreeQueue = mutation({
  name: 'pauseWorktreeQueue',
  description: 'Admits no new top-level run until it is resumed.',
  access: 'people',
  tool: {
    group: 'codebases',
    title: 'Pause a worktree’s queue',
    description:
      'Admits no new top-level run to the worktree until `resume_worktree_queue`. Runs under way go on, and so do runs that they ' +
      'start.',
    idempotent: true,
  },
  input: steering,
  output: payload('PauseWorktreeQueuePayload'),
})

export const resumeWorktreeQueue = mutation({
  name: 'resumeWorktreeQueue',
  description: 'Admits runs again.',
  access: 'people',
  tool: {
    group: 'codebases',
    title: 'Resume a worktree’s queue',
    description: 'Admits runs to the worktree again after `pause_worktree_queue`.',
    idempotent: true,
  },
  input: steering,
  output: payload('ResumeWorktreeQueuePayload'),
})

export const releaseWorktreeReservation = mutation({
  name: 'releaseWorktreeReservation',
  description:
    'Gives the worktree free though nobody confirmed that the exclusive run has left nothing behind. That run must have ended.',
  access: 'people',
  tool: {
    group: 'codebases',
    title: 'Release a worktree’s reservation',
    description:
      'Gives a worktree free whose exclusive run has ended, though nobody confirmed that it left nothing behind (its agent is ' +
      'LOST, say). Only where you know that nothing of it runs any more: else two runs may write there at once.',
    destroys: true,
    idempotent: true,
  },
  input: steering,
  output: payload('ReleaseWorktreeReservationPayload'),
})

export const releaseWorktreeSlot = mutation({
  name: 'releaseWorktreeSlot',
  description:
    'Gives a run’s slot back though nobody confirmed that it has left nothing behind. The run must have ended.',
  access: 'people',
  tool: {
    group: 'codebases',
    title: 'Release a run’s slot',
    description:
      'Gives back the slot of a run that has ended, though nobody confirmed that it left nothing behind (its agent is LOST, ' +
      'say), so that the next run is admitted. Only where you know that nothing of it runs any more.',
    destroys: true,
    idempotent: true,
  },
  input: v.object({ worktreeId: idOf('worktree'), runId: idOf('run'), reason }),
  output: payload('ReleaseWorktreeSlotPayload'),
})

export const worktreeRunQueueChanged = subscription({
  name: 'worktreeRunQueueChanged',
  description:
    'The queue of a worktree each time that it changes, with its first 1,000 entries; as it is now comes first.',
  access: 'people',
  input: v.object({ worktreeId: idOf('worktree') }),
  output: named(
    'WorktreeRunQueueChange',
    'A queue after a change.',
    v.object({ worktreeQueue: worktreeQueueSchema, entries: atMost(entriesBeside, queueEntry) }),
  ),
})
