/** The filters and the order of the list of runs: in the address, as the server receives them, and for runs that change. */
import { runKinds, runStatuses } from '../../../../../spec/runs/runEnums.ts'
import type { EnumValue } from '../../data/graphql.ts'

type RunStatus = EnumValue<'RunStatus'>
type RunKind = EnumValue<'RunKind'>

const hourMs = 3_600_000
/** Periods, by their names in the address. */
const periods: Readonly<Record<Period, number>> = {
  hour: hourMs,
  day: 24 * hourMs,
  week: 7 * 24 * hourMs,
  month: 30 * 24 * hourMs,
}

export const periodNames = ['hour', 'day', 'week', 'month'] as const
type Period = (typeof periodNames)[number]

export const sortColumns = { created: 'CREATED_AT', ended: 'ENDED_AT' } as const
export type SortColumn = keyof typeof sortColumns

export interface RunOrder {
  readonly column: SortColumn
  readonly isAscending: boolean
}

export const defaultOrder: RunOrder = { column: 'created', isAscending: false }

export interface RunFilters {
  readonly text: string
  readonly statuses: readonly RunStatus[]
  readonly kind: RunKind | undefined
  readonly period: Period | undefined
  readonly agent: string
  readonly worktree: string
  readonly repository: string
  readonly requester: string
  readonly cli: string
  readonly order: RunOrder
  /** Parts of the address that have no meaning, such as `status=LATE`. */
  readonly unknown: readonly string[]
}

const prefixes = { agent: /^agt_/, worktree: /^wt_/, repository: /^rep_/, by: /^(usr|key|run|sch)_/, view: /^svw_/ }
type IdName = keyof typeof prefixes

/** @param given the parameters of the address */
export function parseRunFilters(given: Readonly<Record<string, string>>): RunFilters {
  const known = new Set(['q', 'status', 'kind', 'time', 'cli', 'sort', ...Object.keys(prefixes)])
  const unknown = Object.keys(given).filter((name) => !known.has(name))
  const choose = <T extends string>(name: string, choices: readonly T[]): T | undefined => {
    const value = given[name]
    const chosen = choices.find((choice) => choice === value)
    if (value !== undefined && chosen === undefined) unknown.push(`${name}=${value}`)
    return chosen
  }
  const readId = (name: IdName): string => {
    const value = given[name]
    if (value === undefined || prefixes[name].test(value)) return value ?? ''
    unknown.push(`${name}=${value}`)
    return ''
  }
  const names = [...new Set((given.status ?? '').split(',').filter(Boolean))]
  const statuses = runStatuses.filter((status) => names.includes(status))
  unknown.push(...names.filter((name) => !statuses.includes(name as RunStatus)).map((name) => `status=${name}`))
  return {
    text: (given.q ?? '').trim().slice(0, 200),
    statuses,
    kind: choose('kind', runKinds),
    period: choose('time', periodNames),
    agent: readId('agent'),
    worktree: readId('worktree'),
    repository: readId('repository'),
    requester: readId('by'),
    cli: (given.cli ?? '').trim().slice(0, 100),
    order: parseOrder(choose('sort', ['created-asc', 'ended-desc', 'ended-asc'])),
    unknown,
  }
}

function parseOrder(name: string | undefined): RunOrder {
  const [column, direction] = (name ?? 'created-desc').split('-')
  return { column: column === 'ended' ? 'ended' : 'created', isAscending: direction === 'asc' }
}

/** Returns the parameter of the address for an order. Empty for the default. */
export function formatOrder({ column, isAscending }: RunOrder): string {
  const isDefault = column === defaultOrder.column && isAscending === defaultOrder.isAscending
  return isDefault ? '' : `${column}-${isAscending ? 'asc' : 'desc'}`
}

/** The names in the address of all filters. The order and the saved view are not among them. */
export const filterNames = ['q', 'status', 'kind', 'time', 'agent', 'worktree', 'repository', 'by', 'cli'] as const

/** Returns the beginning of the period, as RFC 3339. Null for any time. */
export function getStart(period: Period | undefined, now: number): string | null {
  return period === undefined ? null : new Date(now - periods[period]).toISOString()
}

/** The filter of the API. @param from the beginning of the period */
export function toRunFilter(filters: RunFilters, from: string | null) {
  const { text, statuses, kind, agent, worktree, repository, requester, cli } = filters
  return {
    text: text || null,
    statuses: statuses.length === 0 ? null : statuses,
    kind: kind ?? null,
    agentId: agent || null,
    worktreeId: worktree || null,
    repositoryId: repository || null,
    requestedBy: requester || null,
    cli: cli || null,
    from,
  }
}

export type RunFilter = ReturnType<typeof toRunFilter>

interface FilteredRun {
  readonly status: RunStatus
  readonly kind: RunKind
  readonly createdAt: string
  readonly endedAt: string | null
  readonly cli: string | null
  readonly agent: { readonly id: string }
  readonly worktree: { readonly id: string }
  readonly requestedBy: { readonly id: string } | null
}

/**
 * Returns whether a run that has changed belongs to the list. Undefined if only the server can decide that: it has the words of a run and
 * its repository.
 */
export function matchesFilter(run: FilteredRun, filter: RunFilter, { column }: RunOrder): boolean | undefined {
  const isMatch =
    (filter.statuses === null || filter.statuses.includes(run.status)) &&
    (filter.kind === null || run.kind === filter.kind) &&
    (filter.agentId === null || run.agent.id === filter.agentId) &&
    (filter.worktreeId === null || run.worktree.id === filter.worktreeId) &&
    (filter.requestedBy === null || run.requestedBy?.id === filter.requestedBy) &&
    (filter.cli === null || run.cli === filter.cli) &&
    (filter.from === null || run.createdAt >= filter.from) &&
    (column !== 'ended' || run.endedAt !== null)
  return isMatch && (filter.text !== null || filter.repositoryId !== null) ? undefined : isMatch
}

/** Compares two runs in the order of the list. */
export function compareRuns(
  { column, isAscending }: RunOrder,
  a: FilteredRun & { readonly id: string },
  b: FilteredRun & { readonly id: string },
): number {
  const order = (column === 'ended' ? compare(a.endedAt ?? '', b.endedAt ?? '') : 0) || compare(a.id, b.id)
  return isAscending ? order : -order
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}
