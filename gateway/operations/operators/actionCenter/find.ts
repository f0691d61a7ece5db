import type { ItemKind } from '../../../../spec/operators/actionCenter/items.ts'
import { everyRow } from '../../core/everyRow.ts'
import type { TypedViews } from '../../typedViews.ts'
import { titleOf } from '../titles.ts'
import type { Item, Subject } from './items.ts'

export interface FindOptions {
  readonly views: TypedViews
  readonly now: number
  /** The maximum number of rows of one source that are examined. */
  readonly limit: number
}

export interface FoundItems {
  readonly items: readonly Item[]
  /** Whether the source has more rows than were examined, so that there may be more items. */
  readonly cut: boolean
}

type Find = (asked: FindOptions) => Promise<FoundItems>

const day = 86_400_000
/** The milliseconds for which a failed run is an item. */
export const failedForMs = 7 * day

const waiting: Find = async ({ views, limit }) => {
  const rows = await views.list({ kind: 'run', statuses: ['WAITING_FOR_INPUT'], terminal: false, limit })
  return { items: rows.map((row) => itemOf({ kind: 'RUN_WAITING_FOR_INPUT', row })), cut: rows.length >= limit }
}

const approvals: Find = async ({ views, limit }) => {
  const rows = await views.list({ kind: 'workflowStep', statuses: ['WAITING_FOR_APPROVAL'], terminal: false, limit })
  const items = rows.map((row) => {
    const { begin } = row.init
    const message = begin.type === 'start' && begin.task.kind === 'APPROVAL' ? begin.task.message : null
    return itemOf({ kind: 'STEP_WAITING_FOR_APPROVAL', row }, message)
  })
  return { items, cut: rows.length >= limit }
}

const lostAgents: Find = async ({ views, limit }) => {
  // Most lost agents have no runs and are no items, so all of them are examined.
  const agents = await everyRow(views, { kind: 'agent', statuses: ['LOST'], terminal: false })
  const ids = agents.map(({ id }) => id)
  const counts = ids.length === 0 ? new Map() : await views.countByScope('run', 'agentId', ids, { terminal: false })
  const items = agents.flatMap((row) => {
    const runs = counts.get(row.id) ?? 0
    return runs === 0
      ? []
      : [
          itemOf(
            { kind: 'AGENT_LOST', row },
            `${runs} ${runs === 1 ? 'run has' : 'runs have'} not ended on this agent.`,
          ),
        ]
  })
  return { items: items.slice(0, limit), cut: items.length > limit }
}

const standingStill: Find = async ({ views, now, limit }) => {
  const rows = await views.stuck({ now, limit })
  const items = rows.map((row) => {
    const { columns, changedAt } = row
    // A terminal actor is an item only because of a failed effect.
    if (columns.incidents > 0 || columns.terminal) return itemOf({ kind: 'ACTOR_INCIDENT', row })
    return { ...itemOf({ kind: 'ACTOR_STUCK', row }), since: Math.min(columns.stuckAt ?? changedAt, now) }
  })
  return { items, cut: rows.length >= limit }
}

const failed: Find = async ({ views, now, limit }) => {
  const statuses = ['FAILED', 'TIMED_OUT', 'LOST']
  const { rows, cut } = await views.endedLast({ kind: 'run', statuses, since: now - failedForMs, limit })
  const others = await views.findMany(
    rows.flatMap(({ init: { ownerId, parentRunId } }) => [ownerId, ...(parentRunId ? [parentRunId] : [])]),
  )
  const items = rows.flatMap((row) => {
    const { ownerId, parentRunId } = row.init
    // The user who archived the plan has seen the failure, and a parent run that continues handles its child runs.
    const seenTo = others.get(ownerId)?.columns.terminal === true
    const parent = parentRunId === null ? undefined : others.get(parentRunId)
    if (seenTo || parent?.columns.terminal === false) return []
    const { problem } = row.context
    return [itemOf({ kind: 'RUN_FAILED', row }, problem && `${problem.code}: ${problem.message}`)]
  })
  return { items, cut }
}

const plans: Find = async ({ views, limit }) => {
  const rows = await views.list({ kind: 'plan', statuses: ['READY'], terminal: false, descending: true, limit })
  return { items: rows.map((row) => itemOf({ kind: 'PLAN_READY', row })), cut: rows.length >= limit }
}

/** Only schedules with a problem have the column by which they are sorted. */
const refusedSchedules: Find = async ({ views, limit }) => {
  const rows = await views.list({ kind: 'schedule', order: 'sorted', terminal: false, limit })
  const items = rows.flatMap((row) => {
    const { problem } = row.context
    return problem === null
      ? []
      : [{ ...itemOf({ kind: 'SCHEDULE_REFUSED', row }, `${problem.code}: ${problem.message}`), since: problem.since }]
  })
  return { items, cut: rows.length >= limit }
}

function itemOf(subject: Subject, detail: string | null = null): Item {
  const { row } = subject
  return { ...subject, title: titleOf(row) ?? `${row.kind} ${row.id}`, since: row.changedAt, detail }
}

export interface Source {
  readonly kinds: readonly ItemKind[]
  readonly find: Find
}

export const sources: readonly Source[] = Object.freeze([
  { kinds: ['ACTOR_INCIDENT', 'ACTOR_STUCK'], find: standingStill },
  { kinds: ['AGENT_LOST'], find: lostAgents },
  { kinds: ['RUN_WAITING_FOR_INPUT'], find: waiting },
  { kinds: ['STEP_WAITING_FOR_APPROVAL'], find: approvals },
  { kinds: ['SCHEDULE_REFUSED'], find: refusedSchedules },
  { kinds: ['RUN_FAILED'], find: failed },
  { kinds: ['PLAN_READY'], find: plans },
])
