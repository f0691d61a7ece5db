/** The queued runs of worktrees in their order, each with what it waits for. */

import * as v from 'valibot'
import { defaultNestedPageSize } from '../core/connections.ts'
import { dateTime, id, int, named } from '../core/types.ts'

export const runKind = named('RunKind', 'What a run is a run of.', v.picklist(['PLAN', 'SESSION', 'WORKFLOW']))

export const runPhase = named(
  'RunPhase',
  'What a run does or waits for within its status.',
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
  'Who paused a queue, since when and why.',
  v.object({
    pausedById: v.pipe(v.nullable(id), v.description('The user, API key or run that paused it.')),
    since: dateTime,
    reason: v.nullable(v.string()),
  }),
)

export const blockedBySchema = named(
  'BlockedBy',
  'What a queued run waits for, and who holds it.',
  v.object({
    reason: named(
      'BlockReason',
      'Why a queued run has not started.',
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
    runIds: v.pipe(v.array(id), v.description('The runs that hold it back, at most 20.')),
    runCount: v.pipe(int, v.description('How many runs hold it back.')),
    message: v.string(),
    pause: v.pipe(v.nullable(queuePause), v.description('With QUEUE_PAUSED.')),
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

/** Entries where the queue is only a part of the answer. */
export const entriesBeside = 1_000

/** The arguments of a queue inside an object. `worktreeRunQueue` returns a whole queue. */
export const queueArguments = v.object({
  first: v.pipe(
    v.optional(v.pipe(int, v.minValue(1), v.maxValue(entriesBeside)), defaultNestedPageSize),
    v.description(`The number of entries, 1 to ${entriesBeside}. \`worktreeRunQueue\` returns all.`),
  ),
})

/** Entries that an answer holds: the first ones of longer queues. */
export const entriesMax = 10_000
