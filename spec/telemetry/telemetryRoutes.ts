/** Telemetry: what anybody may send to be kept, and what a session takes out of it as a file. */
import * as v from 'valibot'
import type { FailureCode } from '../core/failure.ts'
import { limits } from '../core/limits.ts'
import { int, named, type Schema, type TypeMetadata } from '../core/types.ts'
import { eventStreamRoute } from '../rest/eventStreamRoute.ts'
import type { RestAnswer } from '../rest/restRoute.ts'
import { restRoute } from '../rest/restRoute.ts'
import { exportRequest } from './exportRequest.ts'
import { analyticsEvent, consoleLog } from './ingested.ts'
import { telemetryRecord } from './telemetryRecords.ts'

const counted = named(
  'TelemetryCounts',
  'The numbers of stored and skipped records of a request.',
  v.object({
    accepted: v.pipe(int, v.description('The number of records that were stored.')),
    duplicates: v.pipe(
      v.optional(int),
      v.description(
        'The number of records that were skipped, because a record with the same `recordId` is already stored.',
      ),
    ),
  }),
)

const quotaHeaders = {
  'RateLimit-Limit': 'The maximum number of requests of this address in a minute.',
  'RateLimit-Remaining': 'The number of requests that are left in the current minute.',
  'RateLimit-Reset': 'The number of seconds until the minute ends.',
}

const answers: Readonly<Record<201 | 202, RestAnswer>> = {
  201: { description: 'The records are durably stored.', body: counted, headers: quotaHeaders },
  202: {
    description: 'The records are valid, but not stored, because this kind is not collected now.',
    body: counted,
    headers: quotaHeaders,
  },
}

const refusals: readonly FailureCode[] = ['RATE_LIMITED', 'UNAVAILABLE', 'INTERNAL_ERROR']

/** One record or a list of them. A value that has `items` is checked as a list, so that a mistake names its field. */
function oneOrMany<const S extends Schema>(record: S) {
  const items = v.pipe(
    v.array(record),
    v.minLength(1, 'must have at least one record'),
    // The ingestion enforces it, since it is a setting.
    v.metadata({ jsonSchema: { maxItems: limits.telemetryRecords } } satisfies TypeMetadata),
    v.description(`At most ${limits.telemetryRecords} records. \`LIMIT_TELEMETRY_RECORDS\` changes this limit.`),
  )
  const many = v.strictObject({ items })
  return {
    schema: v.union([many, record]),
    pick: (value: unknown) => (typeof value === 'object' && value !== null && 'items' in value ? many : record),
  }
}

const description =
  'Takes one record, or `{ items: […] }` of at most 500 records, which are stored all or not at all. Credentials are ignored, ' +
  'and pages of any origin may send (CORS, without credentials). The requests of an address in a minute and its bytes in a day ' +
  'are limited.'

const rate = {
  limit: 'telemetryRequestsPerMinute',
  windowMs: 60_000,
  of: 'telemetry requests from this address',
  shared: true,
} as const

const fromNowOn =
  'Without an ID it begins with the records that are stored from now on. The order is that in which they became readable, which can differ from that of their times.'

export const telemetryRoutes = {
  ingestConsoleLogs: restRoute({
    name: 'ingestConsoleLogs',
    method: 'POST',
    path: '/api/telemetry/console-logs',
    tag: 'Telemetry',
    summary: 'Store log records',
    description,
    access: 'public',
    anyOrigin: true,
    rate,
    body: { limit: 'telemetryBodyBytes', ...oneOrMany(consoleLog) },
    answers,
    refusals,
  }),
  ingestAnalyticsEvents: restRoute({
    name: 'ingestAnalyticsEvents',
    method: 'POST',
    path: '/api/telemetry/analytics-events',
    tag: 'Telemetry',
    summary: 'Store analytics events',
    description,
    access: 'public',
    anyOrigin: true,
    rate,
    body: { limit: 'telemetryBodyBytes', ...oneOrMany(analyticsEvent) },
    answers,
    refusals,
  }),
  exportTelemetry: restRoute({
    name: 'exportTelemetry',
    method: 'POST',
    path: '/api/telemetry/export',
    tag: 'Telemetry',
    summary: 'Export telemetry as a file',
    description:
      'Returns the newest records that match the query: at most 50,000 as CSV or Markdown, 5,000 as PDF, and 32 MiB. If the file was truncated, its last line states that.',
    access: 'sessions',
    body: { limit: 'telemetryExportBodyBytes', schema: exportRequest },
    answers: {
      200: {
        description: 'The exported file.',
        mediaTypes: ['text/csv', 'text/markdown', 'application/pdf'],
        headers: { 'Content-Disposition': 'The name of the exported file.' },
      },
    },
    refusals: ['COST_LIMIT_EXCEEDED', 'NOT_FOUND'],
  }),
  streamConsoleLogs: eventStreamRoute(
    {
      name: 'streamConsoleLogs',
      path: '/api/telemetry/console-logs/stream',
      tag: 'Telemetry',
      summary: 'Follow log records',
      description: `Sends log records as they are stored. ${fromNowOn}`,
    },
    telemetryRecord,
  ),
  streamAnalyticsEvents: eventStreamRoute(
    {
      name: 'streamAnalyticsEvents',
      path: '/api/telemetry/analytics-events/stream',
      tag: 'Telemetry',
      summary: 'Follow analytics events',
      description: `Sends analytics events as they are stored. ${fromNowOn}`,
    },
    telemetryRecord,
  ),
} as const
