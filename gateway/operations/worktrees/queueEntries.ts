import type * as v from 'valibot'
import type { MemberKeys } from '../../../machines/framework/memberKeys.ts'
import type { TypedRow } from '../../../machines/rows.ts'
import { queueMembers } from '../../../machines/worktrees/queueKeys.ts'
import { Failure } from '../../../spec/core/failure.ts'
import { siblingId } from '../../../spec/core/ids.ts'
import { toDateTime } from '../../../spec/core/types.ts'
import {
  type blockedBySchema,
  entriesBeside,
  type queueEntry,
  type runPhase,
} from '../../../spec/worktrees/queueEntries.ts'
import { everyMember } from '../core/members.ts'
import { overlappedRuns } from '../runs/overlappedRuns.ts'
import type { TypedViews } from '../typedViews.ts'
import {
  type BlockedBy,
  blockedBy,
  type Holder,
  isStopped,
  type Place,
  phaseOf,
  type QueuedRun,
  type QueuePicture,
  type RunKind,
} from './blockedBy.ts'

export type QueueEntry = v.InferInput<typeof queueEntry>

/** The book is read whole, since its order is that of the IDs; what is in it is small. */
const bookMax = 50_000
/** Runs that are in memory at once. */
const pageSize = 500

/** An entry as the queue keeps it. */
interface Entry {
  readonly kind: RunKind
  readonly limit: number
  readonly exclusive: boolean
  readonly queuedAt: number
  readonly state: 'OVERLAP' | 'WAITING' | 'HELD'
  readonly child: boolean
}

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
 * The entries in their order, from the queue's own book, so that it says what the queue decides by. The runs themselves are
 * read page by page: an entry says little of what a run holds.
 */
export async function* pagesOf(views: TypedViews, worktreeId: string): AsyncGenerator<readonly QueueEntry[]> {
  const queueId = siblingId('worktreeQueue', worktreeId)
  const [picture, members] = await Promise.all([
    pictureOf(views, worktreeId),
    views.members(queueId, queueMembers.run.prefix, bookMax + 1),
  ])
  if (members.length > bookMax) {
    throw new Failure('FAILED_PRECONDITION', `More than ${bookMax} runs stand in the queue of ${worktreeId}.`)
  }
  const queued = members
    .map(({ key, value }) => ({ id: queueMembers.run.toId(key), ...(value as Entry) }))
    .filter((entry) => entry.state !== 'HELD')
    .sort((a, b) => a.queuedAt - b.queuedAt || (a.id < b.id ? -1 : 1))
  let position = 0
  for (let from = 0; from < queued.length; from += pageSize) {
    const part = queued.slice(from, from + pageSize)
    const rows = await views.getMany(
      'run',
      part.map((entry) => entry.id),
    )
    const late = part.filter(({ state }) => state === 'OVERLAP').flatMap(({ id: runId }) => rows.get(runId) ?? [])
    const overlaps = await overlappedRuns(late, views)
    const page: QueueEntry[] = []
    for (const entry of part) {
      const row = rows.get(entry.id)
      // One that was canceled is out of the list at once, though the queue has yet to hear of it.
      if (row?.columns.status !== 'QUEUED') continue
      position += 1
      const run = { ...entry, ready: entry.state === 'WAITING', overlaps: overlaps.get(row.id) ?? [] }
      page.push(entryOf(row, run, worktreeId, position, picture))
    }
    yield page
  }
}

function entryOf(
  row: TypedRow<'run'>,
  entry: QueuedRun,
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

export function blockedByOutput({ runIds, pause, ...blocked }: BlockedBy): v.InferInput<typeof blockedBySchema> {
  const shown = pause && { pausedById: pause.by, since: toDateTime(pause.at), reason: pause.reason }
  return { ...blocked, runIds: [...runIds], pause: shown }
}

/** @param overlaps of a run that its overlap policy holds back: the runs that must end first */
export function blockOf(row: TypedRow<'run'>, picture: QueuePicture, overlaps: readonly string[]): BlockedBy {
  const { kind, exclusive, parentRunId } = row.init
  const { queuedAt, limit, ready } = row.context.queue
  // Not placed yet: the queue will give it a time later than all others'.
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

export async function pictureOf(views: TypedViews, worktreeId: string): Promise<QueuePicture> {
  const queueId = siblingId('worktreeQueue', worktreeId)
  const row = await views.get('worktreeQueue', queueId)
  const state = row?.context
  const standing = {
    pause: state?.pause ?? null,
    draining: state?.drain.draining ?? false,
    revoked: state?.revoked ?? false,
    reservedBy: state?.reservedBy ?? null,
  }
  const index = isStopped(standing) ? queueMembers.children : queueMembers.all
  const head = async ({ prefix }: MemberKeys): Promise<Place | undefined> => {
    const [member] = await views.members(queueId, prefix, 1)
    return member && placeOf(member.key)
  }
  const [held, plan, session, workflow, exclusive] = await Promise.all([
    views.members(queueId, queueMembers.held.prefix, everyMember),
    head(index.waiting('PLAN')),
    head(index.waiting('SESSION')),
    head(index.waiting('WORKFLOW')),
    head(index.exclusive),
  ])
  return {
    ...standing,
    holders: held.map(({ key, value }): Holder => {
      const { kind, rides } = value as { kind: RunKind; rides: string | null }
      return { id: queueMembers.held.toId(key), kind, rides: rides !== null }
    }),
    heads: {
      ...(plan ? { PLAN: plan } : {}),
      ...(session ? { SESSION: session } : {}),
      ...(workflow ? { WORKFLOW: workflow } : {}),
    },
    exclusive,
  }
}

/** `…/<queuedAt>/<id>` */
function placeOf(key: string): Place {
  const parts = key.split('/')
  return { id: parts.at(-1) ?? '', queuedAt: Number(parts.at(-2)) }
}
