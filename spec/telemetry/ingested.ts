/** Records as their senders write them. */
import * as v from 'valibot'
import { int, named, text } from '../core/types.ts'
import { instant } from './instant.ts'
import type { TelemetryKind, TelemetryRecord } from './record.ts'
import { severityNumberOf } from './severity.ts'
import { anyFields, anyValue, boundsText } from './values.ts'

function hexadecimal(digits: number) {
  const problem = `must be ${digits} hexadecimal digits, not all zero`
  return v.pipe(
    v.string(problem),
    v.regex(new RegExp(`^(?!0+$)[0-9a-fA-F]{${digits}}$`), problem),
    v.transform((value) => value.toLowerCase()),
  )
}

export const traceId = hexadecimal(32)
export const sessionName = text({ min: 1, max: 256 })
export const eventName = text({ min: 1, max: 256 })
export const severity = v.pipe(
  int,
  v.minValue(1, 'must be a severity number from 1 to 24'),
  v.maxValue(24, 'must be a severity number from 1 to 24'),
)

const common = {
  recordId: v.pipe(
    v.nullish(text({ min: 1, max: 128 })),
    v.description(
      'The ID of the record, unique in its kind, such as a UUID. A record whose ID was received in the last 7 days is skipped.',
    ),
  ),
  timestamp: v.pipe(v.nullish(instant), v.description('The time of the event. Default: the time of receipt.')),
  severityText: v.nullish(text({ min: 1, max: 64 })),
  severityNumber: v.pipe(
    v.nullish(severity),
    v.description('The severity, 1 to 24. Default: derived from a common `severityText`.'),
  ),
  attributes: v.pipe(v.nullish(anyFields), v.description(`An object with the attributes of the record. ${boundsText}`)),
  resource: v.pipe(
    v.nullish(anyFields),
    v.description(`An object with the attributes of the source of the record. ${boundsText}`),
  ),
  traceId: v.pipe(v.nullish(traceId), v.description('32 hexadecimal digits.')),
  spanId: v.pipe(v.nullish(hexadecimal(16)), v.description('16 hexadecimal digits.')),
  sessionId: v.nullish(sessionName),
}

export const consoleLog = named(
  'ConsoleLogInput',
  'A log record, in the model of OpenTelemetry.',
  v.strictObject({
    ...common,
    body: v.pipe(anyValue, v.description(`A text, or any JSON value except null. ${boundsText}`)),
    eventName: v.nullish(eventName),
  }),
)

export const analyticsEvent = named(
  'AnalyticsEventInput',
  'An analytics event, in the model of OpenTelemetry.',
  v.strictObject({
    ...common,
    body: v.pipe(v.nullish(anyValue), v.description(`A text, or any JSON value. ${boundsText}`)),
    eventName,
  }),
)

type Ingested = v.InferOutput<typeof consoleLog> | v.InferOutput<typeof analyticsEvent>

/** @param now when it was received, milliseconds since 1970 */
export function recordOf(kind: TelemetryKind, given: Ingested, now: number): TelemetryRecord {
  return {
    kind,
    recordId: given.recordId ?? null,
    timestamp: given.timestamp ?? now,
    observedTimestamp: now,
    severityText: given.severityText ?? null,
    severityNumber: given.severityNumber ?? severityNumberOf(given.severityText) ?? null,
    eventName: given.eventName ?? null,
    body: given.body ?? null,
    attributes: given.attributes ?? {},
    resource: given.resource ?? {},
    traceId: given.traceId ?? null,
    spanId: given.spanId ?? null,
    sessionId: given.sessionId ?? null,
  }
}
