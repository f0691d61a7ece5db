import type { ActorRow } from '../../../../spec/core/actor.ts'
import { contextOf, initOf } from '../../../../spec/core/rows.ts'
import type { ItemKind } from '../../../../spec/operators/actionCenter/items.ts'
import type { Views } from '../../../../storage/ports/views.ts'
import { everyRow } from '../../core/everyRow.ts'
import { titleOf } from '../titles.ts'
import type { Item } from './items.ts'

export interface Asked {
  readonly views: Views
  readonly now: number
  /** Rows of one source that are looked at. */
  readonly limit: number
}

export interface FoundItems {
  readonly items: readonly Item[]
  /** The source has more rows than were looked at, so there may be more items. */
  readonly cut: boolean
}

type Find = (asked: Asked) => Promise<FoundItems>

const day = 86_400_000
/** How long a run that did not end well is news, ms. */
export const failedForMs = 7 * day

const waiting: Find = async ({ views, limit }) => {
  const rows = await views.list({ kind: 'run', statuses: ['WAITING_FOR_INPUT'], terminal: false, limit })
  return { items: rows.map((row) => itemOf('RUN_WAITING_FOR_INPUT', row)), cut: rows.length >= limit }
}

const lostAgents: Find = async ({ views, limit }) => {
  // Most lost agents have no runs and are no items, so all of them are looked at.
  const agents = await everyRow(views, { kind: 'agent', statuses: ['LOST'], terminal: false })
  const ids = agents.map(({ id }) => id)
  const counts = ids.length === 0 ? new Map() : await views.countByScope('run', 'agentId', ids, { terminal: false })
  const items = agents.flatMap((row) => {
    const runs = counts.get(row.id) ?? 0
    return runs === 0
      ? []
      : [itemOf('AGENT_LOST', row, `${runs} of its runs ${runs === 1 ? 'has' : 'have'} not ended.`)]
  })
  return { items: items.slice(0, limit), cut: items.length > limit }
}

const standingStill: Find = async ({ views, now, limit }) => {
  const rows = await views.stuck({ now, limit })
  const items = rows.map((row) => {
    const { columns, changedAt } = row
    // What is terminal stands here for a failed effect alone.
    if (columns.incidents > 0 || columns.terminal) return itemOf('ACTOR_INCIDENT', row)
    return { ...itemOf('ACTOR_STUCK', row), since: Math.min(columns.stuckAt ?? changedAt, now) }
  })
  return { items, cut: rows.length >= limit }
}

const failed: Find = async ({ views, now, limit }) => {
  const statuses = ['FAILED', 'TIMED_OUT', 'LOST']
  const { rows, cut } = await views.endedLast({ kind: 'run', statuses, since: now - failedForMs, limit })
  const inits = rows.map((row) => initOf<{ ownerId: string; parentRunId: string | null }>(row))
  const others = await views.getMany(
    inits.flatMap(({ ownerId, parentRunId }) => [ownerId, ...(parentRunId ? [parentRunId] : [])]),
  )
  const items = rows.flatMap((row, index) => {
    const { ownerId = '', parentRunId = null } = inits[index] ?? {}
    // Whoever archived the plan has seen it, and a run that goes on looks after those that it started.
    const seenTo = others.get(ownerId)?.columns.terminal === true
    const parent = parentRunId === null ? undefined : others.get(parentRunId)
    if (seenTo || parent?.columns.terminal === false) return []
    const { problem } = contextOf<{ problem: { code: string; message: string } | null }>(row)
    return [itemOf('RUN_FAILED', row, problem && `${problem.code}: ${problem.message}`)]
  })
  return { items, cut }
}

const plans: Find = async ({ views, limit }) => {
  const rows = await views.list({ kind: 'plan', statuses: ['READY'], terminal: false, descending: true, limit })
  return { items: rows.map((row) => itemOf('PLAN_READY', row)), cut: rows.length >= limit }
}

function itemOf(kind: ItemKind, row: ActorRow, detail: string | null = null): Item {
  return { kind, row, title: titleOf(row) ?? `${row.kind} ${row.id}`, since: row.changedAt, detail }
}

export interface Source {
  readonly kinds: readonly ItemKind[]
  readonly find: Find
}

export const sources: readonly Source[] = Object.freeze([
  { kinds: ['ACTOR_INCIDENT', 'ACTOR_STUCK'], find: standingStill },
  { kinds: ['AGENT_LOST'], find: lostAgents },
  { kinds: ['RUN_WAITING_FOR_INPUT'], find: waiting },
  { kinds: ['RUN_FAILED'], find: failed },
  { kinds: ['PLAN_READY'], find: plans },
])
