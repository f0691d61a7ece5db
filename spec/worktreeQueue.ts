/** The queue of a worktree as people see and steer it. */
import * as v from 'valibot'
import type { ActorEvent, ActorRow } from './actor.ts'
import type { RunKind } from './blockedBy.ts'
import { Failure } from './failure.ts'
import { kindOfId, siblingId } from './ids.ts'
import { type MessageContext, mutation, type ObjectType, query, subscription } from './operation.ts'
import { principalName } from './principal.ts'
import { entriesBeside, entriesMax, entriesOf, pagesOf, type QueueEntry, queueEntry } from './queueEntries.ts'
import { oneMessage } from './replies.ts'
import { contextOf, initOf, requireRow } from './rows.ts'
import type { ToolFacts } from './tools/tool.ts'
import { thatRun, theRunsWhere } from './tools/touched.ts'
import { atMost, id, idOf, int, named, text } from './types.ts'
import type { Views } from './views.ts'

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

interface QueueContext {
  readonly waiting: number
  readonly paused: boolean
  readonly drain: { readonly draining: boolean }
  readonly reservedBy: string | null
  readonly held: Readonly<Record<RunKind, number>>
}

export const worktreeQueueType: ObjectType<typeof worktreeQueueSchema> = {
  name: 'WorktreeQueue',
  kind: 'worktreeQueue',
  schema: worktreeQueueSchema,
  relations: {
    entries: {
      type: 'derived',
      output: atMost(entriesBeside, queueEntry),
      nullable: false,
      description: 'The queued runs, in their order; at most the first 1,000.',
      load: async (parents, { views }) =>
        await Promise.all(parents.map((parent) => entriesOf(views, String(parent.worktreeId)))),
    },
  },
  fromRow: (row) => {
    const { waiting, paused, drain, reservedBy, held } = contextOf<QueueContext>(row)
    return {
      id: row.id,
      worktreeId: initOf<{ worktreeId: string }>(row).worktreeId,
      status: row.columns.status,
      paused,
      draining: drain.draining,
      reservedByRunId: reservedBy,
      queued: waiting,
      slotsHeld: held.PLAN + held.SESSION + held.WORKFLOW,
    }
  },
}

const worktreeRunQueue = query({
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
  rows: async ({ worktreeId, first }, { views }) => Math.min(await countQueued(worktreeId, views), first ?? entriesMax),
  read: async ({ worktreeId, first }, { views }) => {
    // One more than may be returned, so that a queue that is too long is noticed and not cut.
    const most = first ?? entriesMax + 1
    const whole = (entries: QueueEntry[]): QueueEntry[] => {
      if (entries.length <= (first ?? entriesMax)) return entries
      throw new Failure(
        'FAILED_PRECONDITION',
        `More than ${entriesMax} runs are queued in ${worktreeId}. Ask for the first of them with \`first\`.`,
        { details: { field: 'first' } },
      )
    }
    if (kindOfId(worktreeId) === 'workflow') {
      await requireRow(views, 'workflow', worktreeId)
      return whole(await entriesOfWorkflow(views, worktreeId, most))
    }
    if (kindOfId(worktreeId) !== 'worktree') {
      throw new Failure('BAD_USER_INPUT', 'worktreeId must be the ID of a worktree or of a workflow.', {
        details: { field: 'worktreeId' },
      })
    }
    await requireRow(views, 'worktree', worktreeId)
    return whole(await entriesOf(views, worktreeId, most))
  },
})

async function countQueued(worktreeId: string, views: Views): Promise<number> {
  if (kindOfId(worktreeId) === 'workflow')
    return await views.count({ kind: 'run', where: { scopeId: worktreeId }, statuses: ['QUEUED'] })
  const queue = await views.get(siblingId('worktreeQueue', worktreeId))
  return queue === undefined ? 0 : contextOf<QueueContext>(queue).waiting
}

/** Each entry keeps its position in its own worktree's queue. Of the queues it lies in, one is in memory at a time. */
async function entriesOfWorkflow(views: Views, workflowId: string, most: number): Promise<QueueEntry[]> {
  const order = new Map<string, number>()
  const worktreeIds = new Set<string>()
  for (let last: ActorRow | undefined; order.size < most; ) {
    const { id: lastId, columns } = last ?? {}
    const page = await views.list({
      kind: 'run',
      where: { scopeId: workflowId },
      statuses: ['QUEUED'],
      order: 'sorted',
      limit: 1_000,
      ...(lastId === undefined ? {} : { after: { id: lastId, sortAt: columns?.sortAt ?? 0 } }),
    })
    for (const row of page.slice(0, most - order.size)) {
      order.set(row.id, order.size)
      worktreeIds.add(row.columns.worktreeId ?? '')
    }
    last = page.at(-1)
    if (page.length < 1_000) break
  }
  const entries: QueueEntry[] = []
  for (const worktreeId of worktreeIds) {
    for await (const page of pagesOf(views, worktreeId))
      entries.push(...page.filter(({ id: runId }) => order.has(runId)))
  }
  return entries.sort((a, b) => (order.get(a.id) ?? 0) - (order.get(b.id) ?? 0))
}

const reason = v.nullish(text({ max: 500 }))

const payload = (typeName: string) =>
  named(typeName, 'The queue after the change.', v.object({ worktreeQueue: worktreeQueueSchema }))

/** @throws Failure NOT_FOUND where there is no such worktree */
async function toQueue(worktreeId: string, event: ActorEvent, context: MessageContext) {
  await requireRow(context.views, 'worktree', worktreeId)
  return oneMessage({ to: { kind: 'worktreeQueue', id: siblingId('worktreeQueue', worktreeId) }, event }, (row) => ({
    worktreeQueue: worktreeQueueType.fromRow(row, context),
  }))
}

type Steering = Pick<ToolFacts<{ readonly worktreeId: string }>, 'title' | 'description' | 'destroys' | 'touches'>

function steer<const N extends string>(name: N, event: string, description: string, tool: Steering) {
  return mutation({
    name,
    description,
    access: 'people',
    tool: { group: 'codebases', idempotent: true, ...tool },
    input: v.object({ worktreeId: idOf('worktree'), reason }),
    output: payload(`${name.charAt(0).toUpperCase()}${name.slice(1)}Payload`),
    translate: ({ worktreeId, reason: why }, context) =>
      toQueue(worktreeId, { type: event, by: principalName(context.principal), reason: why ?? null }, context),
  })
}

/** Those that the queue holds back or lets go by it. */
const queuedThere: Steering['touches'] = ({ worktreeId }, { views }) =>
  theRunsWhere(views, { where: { worktreeId }, statuses: ['QUEUED'] })

const pauseWorktreeQueue = steer('pauseWorktreeQueue', 'pause', 'Admits no new top-level run until it is resumed.', {
  title: 'Pause a worktree’s queue',
  description:
    'Admits no new top-level run to the worktree until `resume_worktree_queue`. Runs under way go on, and so do runs that they ' +
    'start.',
  touches: queuedThere,
})
const resumeWorktreeQueue = steer('resumeWorktreeQueue', 'resume', 'Admits runs again.', {
  title: 'Resume a worktree’s queue',
  description: 'Admits runs to the worktree again after `pause_worktree_queue`.',
  touches: queuedThere,
})
const releaseWorktreeReservation = steer(
  'releaseWorktreeReservation',
  'releaseReservation',
  'Gives the worktree free though nobody confirmed that the exclusive run has left nothing behind. That run must have ended.',
  {
    title: 'Release a worktree’s reservation',
    description:
      'Gives a worktree free whose exclusive run has ended, though nobody confirmed that it left nothing behind (its agent is ' +
      'LOST, say). Only where you know that nothing of it runs any more: else two runs may write there at once.',
    destroys: true,
    touches: async ({ worktreeId }, { views }) => {
      const queue = await views.get(siblingId('worktreeQueue', worktreeId))
      const holder = queue === undefined ? null : contextOf<QueueContext>(queue).reservedBy
      return { runIds: holder === null ? [] : [holder] }
    },
  },
)

const releaseWorktreeSlot = mutation({
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
    touches: thatRun,
  },
  input: v.object({ worktreeId: idOf('worktree'), runId: idOf('run'), reason }),
  output: payload('ReleaseWorktreeSlotPayload'),
  translate: ({ worktreeId, runId }, context) => toQueue(worktreeId, { type: 'releaseSlot', runId }, context),
})

const worktreeRunQueueChanged = subscription({
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
  follow: async ({ worktreeId }, { views }) => {
    await requireRow(views, 'worktree', worktreeId)
    return {
      type: 'rows',
      kind: 'worktreeQueue',
      where: { id: siblingId('worktreeQueue', worktreeId) },
      initial: 'all',
    }
  },
  payload: async (item, { worktreeId }, context) => {
    if (item.type !== 'row') return undefined
    const entries = await entriesOf(context.views, worktreeId)
    return { worktreeQueue: worktreeQueueType.fromRow(item.row, context), entries }
  },
})

export const worktreeQueueOperations = [
  worktreeRunQueue,
  pauseWorktreeQueue,
  resumeWorktreeQueue,
  releaseWorktreeSlot,
  releaseWorktreeReservation,
  worktreeRunQueueChanged,
]
