/** The filters of telemetry: in the address, and as the API has them. */
import type { EnumValue, ResultOf } from '../data/graphql.ts'
import { readInstant } from '../parts/lists/readInstant.ts'
import type { queriesQuery } from './telemetryQueries.ts'

export type TelemetryKind = EnumValue<'TelemetryKind'>

/** The lowest numbers of severities in OpenTelemetry. */
export const severities = { TRACE: 1, DEBUG: 5, INFO: 9, WARN: 13, ERROR: 17, FATAL: 21 } as const

export interface TelemetryFilters {
  readonly kind: TelemetryKind
  readonly filter: TelemetryFilter
  /** Parts of the address that have no meaning, such as `severity=LATE`. */
  readonly unknown: readonly string[]
}

/** All values that are not null must match. Times are RFC 3339. */
export interface TelemetryFilter {
  readonly text: string | null
  readonly severityMin: number | null
  readonly sessionId: string | null
  readonly eventName: string | null
  readonly traceId: string | null
  readonly from: string | null
  readonly to: string | null
}

/** The names of the filters in the address. */
export const filterNames = ['q', 'severity', 'session', 'event', 'trace', 'from', 'to'] as const
const known = new Set<string>([...filterNames, 'kind', 'query'])

/** @param given the parameters of the address */
export function parseTelemetryFilters(given: Readonly<Record<string, string>>): TelemetryFilters {
  const unknown = Object.keys(given).filter((name) => !known.has(name))
  const read = <T>(name: string, parse: (value: string) => T | undefined): T | null => {
    const value = given[name]?.trim()
    if (value === undefined || value === '') return null
    const parsed = parse(value)
    if (parsed === undefined) unknown.push(`${name}=${value}`)
    return parsed ?? null
  }
  const toInstant = (value: string) => readInstant(value) ?? undefined
  const upTo = (length: number) => (value: string) => value.slice(0, length)
  return {
    kind: read('kind', (value) => (value === 'events' ? 'ANALYTICS_EVENT' : undefined)) ?? 'CONSOLE_LOG',
    filter: {
      text: read('q', upTo(200)),
      severityMin: read('severity', parseSeverity),
      sessionId: read('session', upTo(256)),
      eventName: read('event', upTo(256)),
      traceId: read('trace', (value) => (/^[0-9a-f]{32}$/i.test(value) ? value.toLowerCase() : undefined)),
      from: read('from', toInstant),
      to: read('to', toInstant),
    },
    unknown,
  }
}

function parseSeverity(value: string): number | undefined {
  const number = Number(value)
  return Number.isInteger(number) && number >= 1 && number <= 24 ? number : undefined
}

/** Returns the address of the page with these filters. @param queryId of a saved query */
export function getTelemetryPath(kind: TelemetryKind, filter: Partial<TelemetryFilter> = {}, queryId = ''): string {
  const { text, severityMin, sessionId, eventName, traceId, from, to } = filter
  const values = {
    kind: kind === 'ANALYTICS_EVENT' ? 'events' : '',
    q: text,
    severity: severityMin === null || severityMin === undefined ? '' : String(severityMin),
    session: sessionId,
    event: eventName,
    trace: traceId,
    from,
    to,
    query: queryId,
  }
  const parameters = Object.entries(values).flatMap(([name, value]) =>
    value ? [[name, value] as [string, string]] : [],
  )
  return parameters.length === 0 ? '/telemetry' : `/telemetry?${new URLSearchParams(parameters)}`
}

export function isFiltered(filter: TelemetryFilter): boolean {
  return Object.values(filter).some((value) => value !== null)
}

export function isSameFilter(a: TelemetryFilter, b: TelemetryFilter): boolean {
  return (Object.keys(a) as (keyof TelemetryFilter)[]).every((name) => a[name] === b[name])
}

/** Returns the filter of a saved query with times as the address has them. */
export function readSavedFilter({ filter }: SavedQuery): TelemetryFilter {
  const { text, severityMin, sessionId, eventName, traceId, from, to } = filter
  return {
    text,
    severityMin,
    sessionId,
    eventName,
    traceId,
    from: readInstant(from ?? undefined),
    to: readInstant(to ?? undefined),
  }
}

export type SavedQuery = ResultOf<typeof queriesQuery>['telemetryQueries']['nodes'][number]
