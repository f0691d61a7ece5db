/** Where each kind of item is found. Each source is read so far and no further: more wait only where everything does. */
import type { ActorRow } from '../actor.ts'
import { contextOf, initOf } from '../rows.ts'
import { titleOf } from '../titles.ts'
import type { Views } from '../views.ts'
import type { Item, ItemKind } from './items.ts'

export interface Asked {
  readonly views: Views
  readonly now: number
  /** Items of one source. */
  readonly limit: number
}

type Find = (asked: Asked) => Promise<readonly Item[]>

const day = 86_400_000
/** How long a run that did not end well is news, ms. */
export const failedForMs = 7 * day

const waiting: Find = async ({ views, limit }) => {
  const rows = await views.list({ kind: 'run', statuses: ['WAITING_FOR_INPUT'], terminal: false, limit })
  return rows.map((row) => itemOf('RUN_WAITING_FOR_INPUT', row))
}

const lostAgents: Find = async ({ views, limit }) => {
  const agents = await views.list({ kind: 'agent', statuses: ['LOST'], terminal: false, limit })
  const counts = await Promise.all(
    agents.map(({ id: agentId }) => views.count({ kind: 'run', where: { agentId }, terminal: false })),
  )
  return agents.flatMap((row, index) => {
    const runs = counts[index] ?? 0
    return runs === 0
      ? []
      : [itemOf('AGENT_LOST', row, `${runs} of its runs ${runs === 1 ? 'has' : 'have'} not ended.`)]
  })
}

const standingStill: Find = async ({ views, now, limit }) => {
  const rows = await views.stuck({ now, limit })
  return rows.map((row) => {
    const { columns, changedAt } = row
    // What is terminal stands here for a failed effect alone.
    if (columns.incidents > 0 || columns.terminal) return itemOf('ACTOR_INCIDENT', row)
    return { ...itemOf('ACTOR_STUCK', row), since: Math.min(columns.stuckAt ?? changedAt, now) }
  })
}

const failed: Find = async ({ views, now, limit }) => {
  const statuses = ['FAILED', 'TIMED_OUT', 'LOST']
  const rows = await views.endedLast({ kind: 'run', statuses, since: now - failedForMs, limit })
  const inits = rows.map((row) => initOf<{ ownerId: string; parentRunId: string | null }>(row))
  const others = await views.getMany(
    inits.flatMap(({ ownerId, parentRunId }) => [ownerId, ...(parentRunId ? [parentRunId] : [])]),
  )
  return rows.flatMap((row, index) => {
    const { ownerId = '', parentRunId = null } = inits[index] ?? {}
    // Whoever archived the plan has seen it, and a run that goes on looks after those that it started.
    const seenTo = others.get(ownerId)?.columns.terminal === true
    const parent = parentRunId === null ? undefined : others.get(parentRunId)
    if (seenTo || parent?.columns.terminal === false) return []
    const { problem } = contextOf<{ problem: { code: string; message: string } | null }>(row)
    return [itemOf('RUN_FAILED', row, problem && `${problem.code}: ${problem.message}`)]
  })
}

const plans: Find = async ({ views, limit }) => {
  const rows = await views.list({ kind: 'plan', statuses: ['READY'], terminal: false, descending: true, limit })
  return rows.map((row) => itemOf('PLAN_READY', row))
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
