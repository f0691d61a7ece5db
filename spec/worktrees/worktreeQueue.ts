/** The queue of a worktree: operations that read and control it. */
import * as v from 'valibot'
import { mutation, query, subscription } from '../core/operation.ts'
import { atMost, id, idOf, idOfOne, int, named, text } from '../core/types.ts'
import { entriesBeside, entriesMax, queueEntry, queuePause } from './queueEntries.ts'

export const worktreeQueueSchema = named(
  'WorktreeQueue',
  'The queue of one worktree.',
  v.object({
    id,
    worktreeId: id,
    status: v.string(),
    paused: v.boolean(),
    pause: v.pipe(v.nullable(queuePause), v.description('The pause. Null if the queue is not paused.')),
    draining: v.boolean(),
    reservedById: v.pipe(
      v.nullable(id),
      v.description('The ID of the exclusive run or build that has reserved the worktree.'),
    ),
    queued: v.pipe(
      int,
      v.description('The number of runs and builds that wait, including those that wait for an overlap policy.'),
    ),
    slotsHeld: int,
  }),
)

export const worktreeRunQueue = query({
  name: 'worktreeRunQueue',
  description:
    'Returns the queued runs and builds of a worktree, of all kinds in one order, or the queued runs of a workflow. A queue of more than 10,000 entries is refused unless `first` sets their number.',
  access: 'people',
  tool: {
    group: 'codebases',
    name: 'get_worktree_run_queue',
    title: 'Get the queue of a worktree',
    description:
      'Returns the queued runs and builds of a worktree in their order, each with the reason why it waits (`blockedBy`), or the ' +
      'queued runs of a workflow. Use `first` if the queue may be long. `get_runs` returns the runs that have started.',
  },
  cost: 100,
  input: v.object({
    worktreeId: v.pipe(id, v.description('The ID of a worktree, `wt_…`, or of a workflow, `wfl_…`.')),
    first: v.pipe(
      v.nullish(v.pipe(int, v.minValue(1), v.maxValue(entriesMax))),
      v.description(
        'The maximum number of entries, 1 to 10,000. If omitted, all are returned, and more than 10,000 are refused.',
      ),
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
  description: 'Pauses the queue of a worktree: it admits no top-level run and no build until it is resumed.',
  access: 'people',
  tool: {
    group: 'codebases',
    title: 'Pause a worktree’s queue',
    description:
      'Pauses the queue of a worktree: it admits no top-level run and no build until `resume_worktree_queue`. Started runs ' +
      'continue, and so do their child runs.',
    idempotent: true,
  },
  input: steering,
  output: payload('PauseWorktreeQueuePayload'),
})

export const resumeWorktreeQueue = mutation({
  name: 'resumeWorktreeQueue',
  description: 'Resumes a paused queue: it admits runs and builds again.',
  access: 'people',
  tool: {
    group: 'codebases',
    title: 'Resume a worktree’s queue',
    description: 'Resumes the queue of a worktree after `pause_worktree_queue`: it admits runs and builds again.',
    idempotent: true,
  },
  input: steering,
  output: payload('ResumeWorktreeQueuePayload'),
})

export const releaseWorktreeReservation = mutation({
  name: 'releaseWorktreeReservation',
  description:
    'Releases the reservation of an exclusive run or build that has ended, although its agent did not confirm that no process of it is left. It still holds its slot: `releaseWorktreeSlot` releases both.',
  access: 'people',
  tool: {
    group: 'codebases',
    title: 'Release a worktree’s reservation',
    description:
      'Releases the reservation of an exclusive run or build that has ended, although its agent did not confirm that no process ' +
      'of it is left, for example because it is LOST. It still holds its slot: `release_worktree_slot` releases both. Use it ' +
      'only if you know that no process of it is left. Otherwise two runs may write to the worktree at the same time.',
    destroys: true,
    idempotent: true,
  },
  input: steering,
  output: payload('ReleaseWorktreeReservationPayload'),
})

export const releaseWorktreeSlot = mutation({
  name: 'releaseWorktreeSlot',
  description:
    'Releases the slot of a run or build that has ended, and its reservation if it is exclusive, although its agent did not confirm that no process of it is left.',
  access: 'people',
  tool: {
    group: 'codebases',
    title: 'Release a slot of a worktree',
    description:
      'Releases the slot of a run or build that has ended, and its reservation if it is exclusive, although its agent did not ' +
      'confirm that no process of it is left, for example because it is LOST. The next run is then admitted. Use it only if you ' +
      'know that no process of it is left.',
    destroys: true,
    idempotent: true,
  },
  input: v.object({
    worktreeId: idOf('worktree'),
    holderId: v.pipe(idOfOne(['run', 'build']), v.description('The run or the build that holds the slot.')),
    reason,
  }),
  output: payload('ReleaseWorktreeSlotPayload'),
})

export const worktreeRunQueueChanged = subscription({
  name: 'worktreeRunQueueChanged',
  description: 'Sends the queue of a worktree with its first 1,000 entries: its current state, and then each change.',
  access: 'people',
  input: v.object({ worktreeId: idOf('worktree') }),
  output: named(
    'WorktreeRunQueueChange',
    'A queue after a change.',
    v.object({ worktreeQueue: worktreeQueueSchema, entries: atMost(entriesBeside, queueEntry) }),
  ),
})
