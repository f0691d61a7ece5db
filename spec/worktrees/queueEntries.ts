/** The queued runs and builds of worktrees in their order, each with the reason why it waits. */

import * as v from 'valibot'
import { defaultNestedPageSize } from '../core/connections.ts'
import { dateTime, id, int, named } from '../core/types.ts'
import { runKinds } from '../runs/runEnums.ts'

export const runKind = named(
  'RunKind',
  'The kind of a run, by its owner: a plan, a session or a workflow.',
  v.picklist(runKinds),
)

export const queueEntryKind = named(
  'WorktreeQueueEntryKind',
  'The kind of an entry in the queue of a worktree: that of its run, or BUILD for a build of the files of the worktree.',
  v.picklist([...runKinds, 'BUILD']),
)

export const runPhase = named(
  'RunPhase',
  'The activity of a run within its status, or the reason why it waits.',
  v.picklist([
    'WAITING_FOR_AGENT',
    'WAITING_FOR_WORKTREE',
    'WAITING_FOR_CONCURRENCY',
    'WAITING_FOR_OVERLAP',
    'PREPARING',
    'EXECUTING',
    'FINALIZING',
  ]),
)

export const queuePause = named(
  'QueuePause',
  'The pause of a queue: its author, its time and its reason.',
  v.object({
    pausedById: v.pipe(v.nullable(id), v.description('The ID of the user, API key or run that paused the queue.')),
    since: dateTime,
    reason: v.nullable(v.string()),
  }),
)

/** The maximum number of runs, and of builds, that are listed as the reason of a wait. */
export const blockersMax = 20

export const blockedBySchema = named(
  'BlockedBy',
  'The reason why a queued run or build has not started, and the runs and builds that hold it back.',
  v.object({
    reason: named(
      'BlockReason',
      'The reason why a queued run or build has not started. SAME_KIND_AHEAD and CONCURRENCY_LIMIT compare it with those of its kind.',
      v.picklist([
        'OVERLAP',
        'AGENT_REVOKED',
        'AGENT_DRAINING',
        'QUEUE_PAUSED',
        'RESERVED',
        'EXCLUSIVE_AHEAD',
        'EARLIER_RUNS',
        'WORKTREE_BUSY',
        'SAME_KIND_AHEAD',
        'CONCURRENCY_LIMIT',
        'STARTING',
      ]),
    ),
    runIds: v.pipe(v.array(id), v.description(`The IDs of the runs that hold it back, at most ${blockersMax}.`)),
    runCount: v.pipe(int, v.description('The number of runs that hold it back.')),
    buildIds: v.pipe(v.array(id), v.description(`The IDs of the builds that hold it back, at most ${blockersMax}.`)),
    buildCount: v.pipe(int, v.description('The number of builds that hold it back.')),
    message: v.string(),
    pause: v.pipe(v.nullable(queuePause), v.description('The pause, if the reason is QUEUE_PAUSED. Null otherwise.')),
  }),
)

export const queueEntry = named(
  'WorktreeQueueEntry',
  'A queued run or build. `position` counts from 1 over all queued entries of its worktree, all kinds merged.',
  v.object({
    position: int,
    id: v.pipe(id, v.description('The ID of the run or of the build.')),
    worktreeId: id,
    kind: queueEntryKind,
    displayNumber: int,
    status: v.string(),
    phase: runPhase,
    queuedAt: dateTime,
    exclusiveWorktree: v.boolean(),
    worktreeConcurrencyLimit: int,
    blockedBy: blockedBySchema,
  }),
)

/** The maximum number of slot holders in an answer. */
export const slotHoldersMax = 100

export const slotHolder = named(
  'SlotHolder',
  'A run or a build that holds a slot of a worktree, or shares the slot of a run above it.',
  v.object({
    id: v.pipe(id, v.description('The ID of the run or of the build.')),
    kind: queueEntryKind,
    sharesSlot: v.pipe(v.boolean(), v.description('Whether it shares the slot of a run above it.')),
  }),
)

/** The maximum number of entries if the queue is only a part of the answer. */
export const entriesBeside = 1_000

/** The arguments of a queue inside an object. `worktreeRunQueue` returns a whole queue. */
export const queueArguments = v.object({
  first: v.pipe(
    v.optional(v.pipe(int, v.minValue(1), v.maxValue(entriesBeside)), defaultNestedPageSize),
    v.description(`The number of entries, 1 to ${entriesBeside}. \`worktreeRunQueue\` returns all.`),
  ),
})

/** The maximum number of entries of a whole queue in an answer. */
export const entriesMax = 10_000
