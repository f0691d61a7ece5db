/** The queued runs of worktrees in their order, each with the reason why it waits. */

import * as v from 'valibot'
import { defaultNestedPageSize } from '../core/connections.ts'
import { dateTime, id, int, named } from '../core/types.ts'
import { runKinds } from '../runs/runEnums.ts'

export const runKind = named(
  'RunKind',
  'The kind of a run, by its owner: a plan, a session or a workflow.',
  v.picklist(runKinds),
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

export const blockedBySchema = named(
  'BlockedBy',
  'The reason why a queued run has not started, and the runs that hold it back.',
  v.object({
    reason: named(
      'BlockReason',
      'The reason why a queued run has not started.',
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
    runIds: v.pipe(v.array(id), v.description('The IDs of the runs that hold the run back, at most 20.')),
    runCount: v.pipe(int, v.description('The number of runs that hold the run back.')),
    message: v.string(),
    pause: v.pipe(v.nullable(queuePause), v.description('The pause, if the reason is QUEUE_PAUSED. Null otherwise.')),
  }),
)

export const queueEntry = named(
  'WorktreeQueueEntry',
  'A queued run. `position` counts from 1 over all queued entries of its worktree, all kinds merged.',
  v.object({
    position: int,
    id,
    worktreeId: id,
    kind: runKind,
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
  'A run that holds a slot of a worktree, or a child run that shares the slot of a run above it.',
  v.object({
    id: v.pipe(id, v.description('The ID of the run.')),
    kind: runKind,
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
