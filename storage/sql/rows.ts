/** Rows of `actor` and `journal` as the ports give them. */

import type { StoredActor } from '../../actors/ports/journal.ts'
import type { ActorRow, Columns, JournalEntry, Json, Timer } from '../../spec/core/actor.ts'
import type { ActorKind } from '../../spec/core/ids.ts'
import { decodeJournalDetail } from '../../spec/core/journalDetail.ts'

export interface ActorRecord {
  readonly id: string
  readonly kind: ActorKind
  readonly seq: number
  readonly owner: string
  readonly machine_version: number
  readonly machine_hash: string
  readonly status: string
  readonly phase: string | null
  readonly terminal: boolean
  readonly unwatched: boolean
  readonly incidents: number
  readonly number: number | null
  readonly agent_id: string | null
  readonly worktree_id: string | null
  readonly scope_id: string | null
  readonly unique_key: string | null
  readonly other_key: string | null
  readonly sort_at: number | null
  readonly stuck_at: number | null
  readonly next_due: number | null
  readonly created_at: number
  readonly changed_at: number
  readonly snapshot: string
  readonly init: string
}

/** The columns that a read of actors selects, from a table called `a`. */
export const actorColumns = `a.id, a.kind, a.seq, a.owner, a.machine_version, a.machine_hash, a.status, a.phase, a.terminal,
  a.unwatched, a.incidents, a.number, a.agent_id, a.worktree_id, a.scope_id, a.unique_key, a.other_key, a.sort_at,
  a.stuck_at, a.next_due, a.created_at, a.changed_at, a.snapshot, a.init`

/** Absent columns are absent keys, so that rows compare as they were written. */
export function columnsOf(record: ActorRecord): Columns {
  return {
    status: record.status,
    ...(record.phase === null ? {} : { phase: record.phase }),
    terminal: record.terminal,
    ...(record.agent_id === null ? {} : { agentId: record.agent_id }),
    ...(record.worktree_id === null ? {} : { worktreeId: record.worktree_id }),
    ...(record.scope_id === null ? {} : { scopeId: record.scope_id }),
    ...(record.unique_key === null ? {} : { uniqueKey: record.unique_key }),
    ...(record.other_key === null ? {} : { otherKey: record.other_key }),
    ...(record.sort_at === null ? {} : { sortAt: record.sort_at }),
    ...(record.number === null ? {} : { number: record.number }),
    ...(record.stuck_at === null ? {} : { stuckAt: record.stuck_at }),
    unwatched: record.unwatched,
    incidents: record.incidents,
  }
}

export function storedActor(record: ActorRecord, members: StoredActor['members']): StoredActor {
  return {
    kind: record.kind,
    id: record.id,
    seq: record.seq,
    owner: record.owner,
    machine: { version: record.machine_version, hash: record.machine_hash },
    columns: columnsOf(record),
    nextDue: record.next_due ?? undefined,
    snapshot: record.snapshot,
    init: record.init,
    members,
    createdAt: record.created_at,
    changedAt: record.changed_at,
  }
}

interface Snapshot {
  readonly value: Json
  readonly context: Readonly<Record<string, Json>>
  readonly timers: readonly Timer[]
}

/** A snapshot that is no JSON shows as empty: the actor stays in its lists, and those that are listed with it too. */
export function actorRow(record: ActorRecord): ActorRow {
  const { value, context, timers } = parse<Snapshot>(record.snapshot) ?? { value: null, context: {}, timers: [] }
  return {
    kind: record.kind,
    id: record.id,
    seq: record.seq,
    columns: columnsOf(record),
    createdAt: record.created_at,
    changedAt: record.changed_at,
    value,
    context,
    init: parse<ActorRow['init']>(record.init) ?? {},
    timers,
    machine: { version: record.machine_version, hash: record.machine_hash },
  }
}

function parse<T>(text: string): T | undefined {
  try {
    return JSON.parse(text) as T
  } catch {
    return undefined
  }
}

export interface JournalRecord {
  readonly at: number
  readonly actor: string
  readonly seq: number
  readonly kind: ActorKind
  readonly event: string
  readonly status: string
  readonly detail: string
}

/** The rest of an entry is what the runtime wrote as `detail`. */
export function journalEntry(record: JournalRecord): JournalEntry {
  return {
    ...decodeJournalDetail(record.detail),
    kind: record.kind,
    id: record.actor,
    seq: record.seq,
    at: record.at,
    event: record.event,
    status: record.status,
  }
}
