import { incidentMembers } from '../../../../machines/framework/incidentKeys.ts'
import type { TypedRow } from '../../../../machines/rows.ts'
import { titleOfPlace } from '../../../../spec/apps/crashPlace.ts'
import { signingExpiryDays } from '../../../../spec/builds/signing/signingEnums.ts'
import { toDateTime } from '../../../../spec/core/types.ts'
import type { ItemKind } from '../../../../spec/operators/actionCenter/items.ts'
import { everyRow } from '../../core/everyRow.ts'
import { printable } from '../../core/printable.ts'
import type { TypedViews } from '../../typedViews.ts'
import { titleOf } from '../titles.ts'
import { type Item, type Subject, worstFirst } from './items.ts'

interface FindOptions {
  readonly views: TypedViews
  readonly now: number
  /** The maximum number of rows of one source that are examined. */
  readonly limit: number
}

interface FoundItems {
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
  const items = rows.map((row) => ({
    ...itemOf({ kind: 'RUN_WAITING_FOR_INPUT', row }),
    cause: row.context.question?.id ?? '',
  }))
  return { items, cut: rows.length >= limit }
}

const approvals: Find = async ({ views, limit }) => {
  const rows = await views.list({ kind: 'workflowStep', statuses: ['WAITING_FOR_APPROVAL'], terminal: false, limit })
  const runs = await views.getMany(
    'run',
    rows.map(({ init }) => init.place.runId),
  )
  const items = rows.map((row) => {
    const { begin, place } = row.init
    const message = begin.type === 'start' && begin.task.kind === 'APPROVAL' ? begin.task.message : null
    const step = itemOf({ kind: 'STEP_WAITING_FOR_APPROVAL', row }, message)
    // The name of a step tells nothing without that of its workflow.
    const run = runs.get(place.runId)
    return run === undefined ? step : { ...step, title: `${titleOf(run)}: ${step.title}` }
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
    const detail = `${runs} ${runs === 1 ? 'run has' : 'runs have'} not ended on this agent.`
    const cause = String(row.context.lostAt ?? '')
    return runs === 0 ? [] : [{ ...itemOf({ kind: 'AGENT_LOST', row }, detail), cause }]
  })
  return { items: items.slice(0, limit), cut: items.length > limit }
}

const findStuck: Find = async ({ views, now, limit }) => {
  const rows = await views.stuck({ now, limit })
  const items = await Promise.all(
    rows.map(async (row) => {
      const { columns, changedAt } = row
      // A terminal actor is an item only because of a failed effect.
      if (columns.incidents > 0 || columns.terminal)
        return { ...itemOf({ kind: 'ACTOR_INCIDENT', row }), cause: await failedEffects(row.id, views) }
      const since = Math.min(columns.stuckAt ?? changedAt, now)
      // A new visit to a state has another time.
      return {
        ...itemOf({ kind: 'ACTOR_STUCK', row }),
        since,
        cause: `${columns.status} ${columns.stuckAt ?? changedAt}`,
      }
    }),
  )
  return { items, cut: rows.length >= limit }
}

/** The failed effects of an actor that are compared. More than these are not another cause. */
const failedEffectsMax = 20

/** The failed effects of the actor that wait for an operator. One query reads those of all actors. */
async function failedEffects(id: string, views: TypedViews): Promise<string> {
  const members = await views.members(id, incidentMembers.prefix, failedEffectsMax)
  return members.map(({ key }) => incidentMembers.toId(key)).join(' ')
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
  const items = rows.map((row) => ({ ...itemOf({ kind: 'PLAN_READY', row }), cause: String(row.context.revision) }))
  return { items, cut: rows.length >= limit }
}

/** Only schedules with a problem have the column by which they are sorted. */
const refusedSchedules: Find = async ({ views, limit }) => {
  const rows = await views.list({ kind: 'schedule', order: 'sorted', terminal: false, limit })
  const items = rows.flatMap((row) => {
    const { problem } = row.context
    if (problem === null) return []
    const { since, code, message } = problem
    return [{ ...itemOf({ kind: 'SCHEDULE_REFUSED', row }, `${code}: ${message}`), since, cause: `${since} ${code}` }]
  })
  return { items, cut: rows.length >= limit }
}

/** Only active assets that expire have the column by which they are sorted, and the earliest comes first. */
const expiringAssets: Find = async ({ views, now, limit }) => {
  const rows = await views.list({ kind: 'signingAsset', order: 'sorted', terminal: false, limit })
  const items = rows.flatMap((row) => {
    const expiresAt = row.context.facts?.expiresAt ?? Number.POSITIVE_INFINITY
    const from = expiresAt - signingExpiryDays * day
    if (from > now) return []
    const isExpired = expiresAt <= now
    const kind = isExpired ? 'SIGNING_ASSET_EXPIRED' : 'SIGNING_ASSET_EXPIRING'
    const detail = `It ${isExpired ? 'expired' : 'expires'} at ${toDateTime(expiresAt)}. Replace its file by a renewed one.`
    // A file that was replaced has another expiry.
    return [{ ...itemOf({ kind, row }, detail), since: isExpired ? expiresAt : from, cause: String(expiresAt) }]
  })
  return { items, cut: items.length >= limit }
}

/** Refused pushes of configurations that are active, until a later push of the configuration starts its build. */
const refusedPushes: Find = async ({ views, now, limit }) => {
  const { rows, cut } = await views.endedLast({
    kind: 'pushBuild',
    statuses: ['REFUSED'],
    since: now - failedForMs,
    limit,
  })
  const ids = [...new Set(rows.map(({ init }) => init.buildConfigurationId))]
  const configurations = await views.getMany('buildConfiguration', ids)
  const latest = new Map(
    await Promise.all(
      ids.map(async (scopeId) => {
        const [row] = await views.list({
          ...({ kind: 'pushBuild', where: { scopeId }, statuses: ['STARTED'], descending: true, limit: 1 } as const),
        })
        return [scopeId, row?.createdAt ?? 0] as const
      }),
    ),
  )
  const items = rows.flatMap((row) => {
    const { buildConfigurationId, branch, commit } = row.init
    const configuration = configurations.get(buildConfigurationId)
    if (configuration?.columns.status !== 'ACTIVE' || (latest.get(buildConfigurationId) ?? 0) > row.createdAt) return []
    const { problem } = row.context
    const item = itemOf({ kind: 'PUSH_REFUSED', row }, problem && `${problem.code}: ${problem.message}`)
    return [{ ...item, title: `${configuration.context.name}: ${branch} ${commit.slice(0, 9)}` }]
  })
  return { items, cut }
}

/** Characters. The names of functions can be much longer. */
const titleMax = 200
/** Groups that are examined at most, because those of unclaimed and archived apps are no items. */
const crashGroupsMax = 5_000

const crashGroups =
  (status: 'SPIKING' | 'REGRESSED' | 'NEW'): Find =>
  async ({ views, limit }) => {
    const query = { kind: 'crashGroup', statuses: [status], order: 'sorted', descending: true, limit } as const
    const found: { readonly row: TypedRow<'crashGroup'>; readonly app: TypedRow<'app'> }[] = []
    let [examined, isEnd] = [0, false]
    for (let last: string | undefined; found.length < limit && examined < crashGroupsMax && !isEnd; ) {
      const rows = await views.list({ ...query, ...(last === undefined ? {} : { after: { id: last } }) })
      const apps = await views.getMany('app', [...new Set(rows.map(({ init }) => init.appId))])
      for (const row of rows) {
        const app = apps.get(row.init.appId)
        if (app?.columns.status === 'ACTIVE') found.push({ row, app })
      }
      last = rows.at(-1)?.id
      examined += rows.length
      isEnd = rows.length < limit
    }
    const items = found.slice(0, limit).map(({ row, app }) => {
      const { reports, pace, waitsSince } = row.context
      const detail =
        status === 'SPIKING'
          ? `${pace.count} reports within an hour, ${reports} in all: ${row.init.exceptionType}.`
          : `${reports} ${reports === 1 ? 'report' : 'reports'}: ${row.init.exceptionType}.`
      const item = itemOf({ kind: `CRASH_GROUP_${status}`, row }, detail)
      const title = `${app.context.name}: ${printable(titleOfPlace(row.init), titleMax)}`
      return { ...item, title, since: waitsSince, cause: String(waitsSince) }
    })
    return { items, cut: !isEnd || found.length > limit }
  }

/** An item whose actor can be one of its kind only once. */
function itemOf(subject: Subject, detail: string | null = null): Item {
  const { row } = subject
  return { ...subject, title: titleOf(row) ?? `${row.kind} ${row.id}`, since: row.changedAt, detail, cause: '' }
}

interface Source {
  readonly kinds: readonly ItemKind[]
  readonly find: Find
}

const sources: readonly Source[] = Object.freeze([
  { kinds: ['ACTOR_INCIDENT', 'ACTOR_STUCK'], find: findStuck },
  { kinds: ['AGENT_LOST'], find: lostAgents },
  { kinds: ['RUN_WAITING_FOR_INPUT'], find: waiting },
  { kinds: ['STEP_WAITING_FOR_APPROVAL'], find: approvals },
  { kinds: ['SCHEDULE_REFUSED'], find: refusedSchedules },
  { kinds: ['SIGNING_ASSET_EXPIRED', 'SIGNING_ASSET_EXPIRING'], find: expiringAssets },
  { kinds: ['CRASH_GROUP_SPIKING'], find: crashGroups('SPIKING') },
  { kinds: ['CRASH_GROUP_REGRESSED'], find: crashGroups('REGRESSED') },
  { kinds: ['CRASH_GROUP_NEW'], find: crashGroups('NEW') },
  { kinds: ['PUSH_REFUSED'], find: refusedPushes },
  { kinds: ['RUN_FAILED'], find: failed },
  { kinds: ['PLAN_READY'], find: plans },
])

/** The maximum number of items of one source that are examined. */
const sourceMax = 200

/** Finds the items of these kinds, the most urgent first. `cut`: whether a source has more items than were examined. */
export async function findItems(kinds: readonly ItemKind[], views: TypedViews, now: number): Promise<FoundItems> {
  const wanted = new Set(kinds)
  const asked = sources.filter((source) => source.kinds.some((one) => wanted.has(one)))
  const each = await Promise.all(asked.map(({ find }) => find({ views, now, limit: sourceMax })))
  const items = each.flatMap((found) => found.items).filter((one) => wanted.has(one.kind))
  return { items: items.sort(worstFirst), cut: each.some((some) => some.cut) }
}
