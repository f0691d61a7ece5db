import type * as v from 'valibot'
import type { TypedRow } from '../../../machines/rows.ts'
import type { ActorEvent } from '../../../spec/core/actor.ts'
import { Failure } from '../../../spec/core/failure.ts'
import { kindOfId, siblingId } from '../../../spec/core/ids.ts'
import { principalName } from '../../../spec/core/principal.ts'
import { atMost } from '../../../spec/core/types.ts'
import { entriesMax, queueEntry, slotHolder, slotHoldersMax } from '../../../spec/worktrees/queueEntries.ts'
import {
  pauseWorktreeQueue,
  releaseWorktreeReservation,
  releaseWorktreeSlot,
  resumeWorktreeQueue,
  type steering,
  worktreeQueueSchema,
  worktreeRunQueue,
  worktreeRunQueueChanged,
} from '../../../spec/worktrees/worktreeQueue.ts'
import { computedConnection } from '../core/computedConnection.ts'
import { everyRow } from '../core/everyRow.ts'
import { oneMessage, requireKind } from '../core/replies.ts'
import { requireRow } from '../core/rows.ts'
import { handle } from '../handler.ts'
import type { ObjectType } from '../objectType.ts'
import type { RequestContext } from '../requestContext.ts'
import { type TouchedObjects, touchRuns } from '../tools/touched.ts'
import type { TypedViews } from '../typedViews.ts'
import { entriesOf, pagesOf, pauseOutput, type QueueEntry, slotHoldersOf } from './queueEntries.ts'

export const worktreeQueueType: ObjectType<'worktreeQueue', typeof worktreeQueueSchema> = {
  name: 'WorktreeQueue',
  kind: 'worktreeQueue',
  schema: worktreeQueueSchema,
  relations: {
    entries: computedConnection('WorktreeQueueEntry', queueEntry, {
      description: 'The queued runs and builds of the worktree, in their order.',
      positionOf: ({ id }) => id,
      load: async (parents, { views }) =>
        await Promise.all(parents.map((parent) => entriesOf(views, String(parent.worktreeId), entriesMax))),
    }),
    slotHolders: {
      type: 'derived',
      output: atMost(slotHoldersMax, slotHolder),
      nullable: false,
      description: `The runs and builds that hold a slot, and those that share the slot of a run above them, at most ${slotHoldersMax}.`,
      load: async (parents, { views }) =>
        await Promise.all(parents.map((parent) => slotHoldersOf(views, String(parent.worktreeId)))),
    },
  },
  fromRow: (row) => {
    const { waiting, pause, drain, reservedBy, held } = row.context
    return {
      id: row.id,
      worktreeId: row.init.worktreeId,
      status: row.columns.status,
      paused: pause !== null,
      pause: pauseOutput(pause),
      draining: drain.draining,
      reservedById: reservedBy,
      queued: waiting,
      slotsHeld: Object.values(held).reduce((sum, count) => sum + count, 0),
    }
  },
}

async function countQueued(worktreeId: string, views: TypedViews): Promise<number> {
  if (kindOfId(worktreeId) === 'workflow')
    return await views.count({ kind: 'run', where: { scopeId: worktreeId }, statuses: ['QUEUED'] })
  const queue = await views.get('worktreeQueue', siblingId('worktreeQueue', worktreeId))
  return queue === undefined ? 0 : queue.context.waiting
}

/**
 * Lists the queued runs of a workflow. Each entry keeps its position in the queue of its worktree. Only one queue is in memory at a
 * time.
 */
async function entriesOfWorkflow(views: TypedViews, workflowId: string, most: number): Promise<QueueEntry[]> {
  const order = new Map<string, number>()
  const worktreeIds = new Set<string>()
  for (let last: TypedRow<'run'> | undefined; order.size < most; ) {
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

/**
 * Sends the queue an event with the caller and the reason. The journal shows both.
 * @throws Failure NOT_FOUND if the worktree does not exist
 */
async function steer(
  { worktreeId, reason }: v.InferOutput<typeof steering>,
  event: ActorEvent,
  context: RequestContext<'views' | 'presence'>,
) {
  await requireRow(context.views, 'worktree', worktreeId)
  const to = { kind: 'worktreeQueue', id: siblingId('worktreeQueue', worktreeId) } as const
  const by = principalName(context.principal)
  return oneMessage({ to, event: { ...event, by, reason: reason ?? null } }, (row) => ({
    worktreeQueue: worktreeQueueType.fromRow(row, context),
  }))
}

/** The queued runs and builds of the worktree, which the operation may start or stop. */
async function queuedThere({ worktreeId }: { readonly worktreeId: string }, { views }: Pick<RequestContext, 'views'>) {
  const queued = { where: { worktreeId }, statuses: ['QUEUED'] }
  const builds = await everyRow(views, { kind: 'build', ...queued })
  const waiting = builds.filter(({ init }) => init.slot !== undefined)
  return { ...(await touchRuns(views, queued)), requesters: waiting.map(({ init }) => init.requestedBy) }
}

/** The run or the build that holds a slot. */
async function touchHolder(id: string | null, views: TypedViews): Promise<TouchedObjects> {
  if (id === null) return {}
  if (kindOfId(id) !== 'build') return { runIds: [id] }
  const build = await views.get('build', id)
  return build === undefined ? {} : { requesters: [build.init.requestedBy] }
}

export const worktreeQueueHandlers = [
  handle(worktreeRunQueue, ['views'], {
    listCounts: async ({ worktreeId, first }, { views }) => ({
      items: Math.min(await countQueued(worktreeId, views), first ?? entriesMax),
    }),
    read: async ({ worktreeId, first }, { views }) => {
      // One entry more than allowed is read, to detect a queue that is too long.
      const most = first ?? entriesMax + 1
      const whole = (entries: QueueEntry[]): QueueEntry[] => {
        if (entries.length <= (first ?? entriesMax)) return entries
        throw new Failure(
          'FAILED_PRECONDITION',
          `More than ${entriesMax} runs and builds are queued for ${worktreeId}. Set \`first\` to read the first of them.`,
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
  }),
  handle(pauseWorktreeQueue, ['views', 'presence'], {
    touches: queuedThere,
    translate: (input, context) => steer(input, { type: 'pause' }, context),
  }),
  handle(resumeWorktreeQueue, ['views', 'presence'], {
    touches: queuedThere,
    translate: (input, context) => steer(input, { type: 'resume' }, context),
  }),
  handle(releaseWorktreeReservation, ['views', 'presence'], {
    touches: async ({ worktreeId }, { views }) => {
      const queue = await views.get('worktreeQueue', siblingId('worktreeQueue', worktreeId))
      return await touchHolder(queue?.context.reservedBy ?? null, views)
    },
    translate: (input, context) => steer(input, { type: 'releaseReservation' }, context),
  }),
  handle(releaseWorktreeSlot, ['views', 'presence'], {
    touches: ({ holderId }, { views }) => touchHolder(holderId, views),
    translate: (input, context) => steer(input, { type: 'releaseSlot', holderId: input.holderId }, context),
  }),
  handle(worktreeRunQueueChanged, ['views', 'presence'], {
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
      return { worktreeQueue: worktreeQueueType.fromRow(requireKind('worktreeQueue', item.row), context), entries }
    },
  }),
]
