import type * as v from 'valibot'
import type { BuildSlot } from '../../../machines/builds/buildActions.ts'
import type { MemberKeys } from '../../../machines/framework/memberKeys.ts'
import type { TypedRow } from '../../../machines/rows.ts'
import type { Entry, EntryKind } from '../../../machines/worktrees/admission.ts'
import { queueMembers } from '../../../machines/worktrees/queueKeys.ts'
import { Failure } from '../../../spec/core/failure.ts'
import { kindOfId, siblingId } from '../../../spec/core/ids.ts'
import { toDateTime } from '../../../spec/core/types.ts'
import {
  type blockedBySchema,
  blockersMax,
  entriesBeside,
  type queueEntry,
  type queuePause,
  type runPhase,
  slotHoldersMax,
} from '../../../spec/worktrees/queueEntries.ts'
import { everyMember } from '../core/members.ts'
import { overlappedRuns } from '../runs/overlappedRuns.ts'
import type { TypedViews } from '../typedViews.ts'
import {
  type BlockedBy,
  blockedBy,
  isStopped,
  phaseOf,
  type QueuedEntry,
  type QueuePicture,
  type QueuePosition,
  type SlotHolder,
} from './blockedBy.ts'

export type QueueEntry = v.InferInput<typeof queueEntry>

/**
 * The maximum number of entries of a queue that is read. The whole queue is read, because it is stored in the order of IDs. Its
 * entries are small.
 */
const bookMax = 50_000
/** The number of runs and builds that are in memory at a time. */
const pageSize = 500

/** The first entries of a worktree's queue. */
export async function entriesOf(views: TypedViews, worktreeId: string, limit = entriesBeside): Promise<QueueEntry[]> {
  const entries: QueueEntry[] = []
  for await (const page of pagesOf(views, worktreeId)) {
    entries.push(...page.slice(0, limit - entries.length))
    if (entries.length >= limit) break
  }
  return entries
}

/**
 * Yields the entries in their order, from the state by which the queue decides. The runs and builds are read page by page, because an
 * entry has few of their fields.
 */
export async function* pagesOf(views: TypedViews, worktreeId: string): AsyncGenerator<readonly QueueEntry[]> {
  const queueId = siblingId('worktreeQueue', worktreeId)
  const [picture, members] = await Promise.all([
    pictureOf(views, worktreeId),
    views.members(queueId, queueMembers.run.prefix, bookMax + 1),
  ])
  if (members.length > bookMax) {
    throw new Failure(
      'FAILED_PRECONDITION',
      `More than ${bookMax} runs and builds are in the queue of ${worktreeId}. Try again when the queue is shorter.`,
      { details: { worktreeId, limit: bookMax } },
    )
  }
  const queued = members
    .map(({ key, value }) => ({ id: queueMembers.run.toId(key), ...(value as Entry) }))
    .filter((entry) => entry.state !== 'HELD')
    .sort((a, b) => a.queuedAt - b.queuedAt || (a.id < b.id ? -1 : 1))
  let position = 0
  for (let from = 0; from < queued.length; from += pageSize) {
    const part = queued.slice(from, from + pageSize)
    const idsOf = (kind: 'run' | 'build') => part.map(({ id }) => id).filter((id) => kindOfId(id) === kind)
    const [runs, builds] = await Promise.all([
      views.getMany('run', idsOf('run')),
      views.getMany('build', idsOf('build')),
    ])
    // These wait for the overlap policy of their workflow.
    const late = part.filter(({ state }) => state === 'OVERLAP').flatMap(({ id: runId }) => runs.get(runId) ?? [])
    const overlaps = await overlappedRuns(late, views)
    const page: QueueEntry[] = []
    for (const entry of part) {
      const row = runs.get(entry.id) ?? builds.get(entry.id)
      // One that was canceled is not listed, even if the queue has not received its message yet.
      if (row?.columns.status !== 'QUEUED') continue
      position += 1
      const queuedEntry = { ...entry, ready: entry.state === 'WAITING', overlaps: overlaps.get(row.id) ?? [] }
      page.push(entryOf(row, queuedEntry, worktreeId, position, picture))
    }
    yield page
  }
}

function entryOf(
  row: TypedRow<'run'> | TypedRow<'build'>,
  entry: QueuedEntry,
  worktreeId: string,
  position: number,
  picture: QueuePicture,
): QueueEntry {
  const blocked = blockedBy(entry, picture)
  return {
    position,
    id: row.id,
    worktreeId,
    kind: entry.kind,
    displayNumber: row.init.number,
    status: row.columns.status,
    phase: phaseOf(blocked.reason) as v.InferOutput<typeof runPhase>,
    queuedAt: toDateTime(entry.queuedAt),
    exclusiveWorktree: entry.exclusive,
    worktreeConcurrencyLimit: entry.limit,
    blockedBy: blockedByOutput(blocked),
  }
}

export function blockedByOutput({ ids, pause, reason, message }: BlockedBy): v.InferInput<typeof blockedBySchema> {
  const buildIds = ids.filter((id) => kindOfId(id) === 'build')
  const runIds = ids.filter((id) => kindOfId(id) !== 'build')
  return {
    reason,
    runIds: runIds.slice(0, blockersMax),
    runCount: runIds.length,
    buildIds: buildIds.slice(0, blockersMax),
    buildCount: buildIds.length,
    message,
    pause: pauseOutput(pause),
  }
}

export function pauseOutput(pause: BlockedBy['pause']): v.InferInput<typeof queuePause> | null {
  return pause && { pausedById: pause.by, since: toDateTime(pause.at), reason: pause.reason }
}

/** @param overlaps the runs that must end before the overlap policy admits the run */
export function blockOf(row: TypedRow<'run'>, picture: QueuePicture, overlaps: readonly string[]): BlockedBy {
  const { kind, exclusive, parentRunId } = row.init
  const { queuedAt, limit, ready } = row.context.queue
  // A run that the queue has not placed yet will get a later time than all others.
  return blockedBy(
    {
      id: row.id,
      kind,
      exclusive,
      limit,
      ready,
      overlaps,
      child: parentRunId !== null,
      queuedAt: queuedAt ?? Number.MAX_SAFE_INTEGER,
    },
    picture,
  )
}

/** Undefined if the build does not wait for its worktree. */
export function blockOfBuild(row: TypedRow<'build'>, picture: QueuePicture): BlockedBy | undefined {
  const { init, context, columns } = row
  if (init.slot === undefined || columns.phase !== 'WAITING_FOR_WORKTREE') return undefined
  return blockedBy(toEntry(row.id, init.slot, context.queuedAt), picture)
}

function toEntry(id: string, { limit, exclusive, above }: BuildSlot, queuedAt: number | undefined): QueuedEntry {
  const placed = { id, queuedAt: queuedAt ?? Number.MAX_SAFE_INTEGER }
  return { ...placed, kind: 'BUILD', limit, exclusive, ready: true, overlaps: [], child: above.length > 0 }
}

/** The state of a worktree's queue from which `blockedBy` finds why a run or build waits. */
export async function pictureOf(views: TypedViews, worktreeId: string): Promise<QueuePicture> {
  const queueId = siblingId('worktreeQueue', worktreeId)
  const row = await views.get('worktreeQueue', queueId)
  const state = row?.context
  const gates = {
    pause: state?.pause ?? null,
    draining: state?.drain.draining ?? false,
    revoked: state?.revoked ?? false,
    reservedBy: state?.reservedBy ?? null,
  }
  const index = isStopped(gates) ? queueMembers.children : queueMembers.all
  const head = async ({ prefix }: MemberKeys): Promise<QueuePosition | undefined> => {
    const [member] = await views.members(queueId, prefix, 1)
    return member && placeOf(member.key)
  }
  const [held, plan, session, workflow, build, exclusive] = await Promise.all([
    views.members(queueId, queueMembers.held.prefix, everyMember),
    head(index.waiting('PLAN')),
    head(index.waiting('SESSION')),
    head(index.waiting('WORKFLOW')),
    head(index.waiting('BUILD')),
    head(index.exclusive),
  ])
  return {
    ...gates,
    holders: held.map(toSlotHolder),
    heads: {
      ...(plan ? { PLAN: plan } : {}),
      ...(session ? { SESSION: session } : {}),
      ...(workflow ? { WORKFLOW: workflow } : {}),
      ...(build ? { BUILD: build } : {}),
    },
    exclusive,
  }
}

/** The pictures of the queues of these worktrees, by worktree. Each queue is read once. */
export async function picturesOf(
  views: TypedViews,
  worktreeIds: readonly string[],
): Promise<ReadonlyMap<string, QueuePicture>> {
  const read = async (id: string) => [id, await pictureOf(views, id)] as const
  return new Map(await Promise.all([...new Set(worktreeIds)].map(read)))
}

/** The runs and builds that hold or share a slot of a worktree. Steps of workflow runs are left out: they share the slot of their run. */
export async function slotHoldersOf(views: TypedViews, worktreeId: string): Promise<readonly SlotHolder[]> {
  const queueId = siblingId('worktreeQueue', worktreeId)
  const held = await views.members(queueId, queueMembers.held.prefix, everyMember)
  return held
    .map(toSlotHolder)
    .filter(({ id }) => kindOfId(id) !== 'workflowStep')
    .slice(0, slotHoldersMax)
}

function toSlotHolder({ key, value }: { readonly key: string; readonly value: unknown }): SlotHolder {
  const { kind, rides } = value as { kind: EntryKind; rides: string | null }
  return { id: queueMembers.held.toId(key), kind, sharesSlot: rides !== null }
}

/** `…/<queuedAt>/<id>` */
function placeOf(key: string): QueuePosition {
  const parts = key.split('/')
  return { id: parts.at(-1) ?? '', queuedAt: Number(parts.at(-2)) }
}
