/** The filters of stored telemetry: the arguments of the list, and the query of an export. */
import * as v from 'valibot'
import { Failure } from '../core/failure.ts'
import { named, text } from '../core/types.ts'
import { eventName, sessionName, severity, traceId } from './ingested.ts'
import { instant } from './instant.ts'
import { type TelemetryKind, type TelemetryQuery, telemetryKinds } from './record.ts'

export const telemetryKind = named(
  'TelemetryKind',
  'The kind of telemetry: records sent to console-logs, or to analytics-events.',
  v.picklist(telemetryKinds, `must be ${telemetryKinds.join(' or ')}`),
)

export const filterEntries = {
  from: v.pipe(v.nullish(instant), v.description('The earliest `observedTimestamp`, inclusive.')),
  to: v.pipe(v.nullish(instant), v.description('The latest `observedTimestamp`, exclusive.')),
  severityMin: v.pipe(
    v.nullish(severity),
    v.description('The lowest `severityNumber`. Records without one do not match.'),
  ),
  text: v.pipe(
    v.nullish(text({ min: 1, max: 200 })),
    v.description('A text that the body or the event’s name contains, regardless of case.'),
  ),
  sessionId: v.nullish(sessionName),
  eventName: v.nullish(eventName),
  traceId: v.nullish(traceId),
}

const filter = v.object(filterEntries)
export type TelemetryFilter = v.InferOutput<typeof filter>

/** @throws Failure BAD_USER_INPUT @param field of the filter, for what is wrong with it */
export function queryOf(kind: TelemetryKind, given: TelemetryFilter, field: string): TelemetryQuery {
  const { from, to } = given
  if (typeof from === 'number' && typeof to === 'number' && from >= to) {
    const problem = 'must be later than from'
    throw new Failure('BAD_USER_INPUT', `${field}.to: ${problem}`, { details: { field: `${field}.to`, problem } })
  }
  const entries = Object.entries(given).filter(([, value]) => value !== null && value !== undefined)
  return { kind, ...(Object.fromEntries(entries) as Omit<TelemetryQuery, 'kind'>) }
}
