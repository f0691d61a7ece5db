/** Telemetry: what anybody may send to be kept, and what a session takes out of it as a file. */
import * as v from 'valibot'
import type { FailureCode } from '../core/failure.ts'
import { limits } from '../core/limits.ts'
import { int, named, type Schema, type TypeMetadata } from '../core/types.ts'
import type { RestAnswer } from '../rest/restRoute.ts'
import { restRoute } from '../rest/restRoute.ts'
import { exportRequest } from './exportRequest.ts'
import { analyticsEvent, consoleLog } from './ingested.ts'

const counted = named(
  'TelemetryCounts',
  'What became of the records of a request.',
  v.object({
    accepted: v.pipe(int, v.description('Records that are kept now.')),
    duplicates: v.pipe(
      v.optional(int),
      v.description('Records that were passed over, since one with the same `recordId` is kept already.'),
    ),
  }),
)

const quotaHeaders = {
  'RateLimit-Limit': 'Requests that this address may make in a minute.',
  'RateLimit-Remaining': 'How many of them are left.',
  'RateLimit-Reset': 'Seconds until the minute is over.',
}

const answers: Readonly<Record<201 | 202, RestAnswer>> = {
  201: { description: 'They are kept, for good.', body: counted, headers: quotaHeaders },
  202: {
    description: 'They are right, and nothing was kept: this kind is not collected at present.',
    body: counted,
    headers: quotaHeaders,
  },
}

const refusals: readonly FailureCode[] = ['RATE_LIMITED', 'UNAVAILABLE', 'INTERNAL_ERROR']

/** One record or a list of them. A value that has `items` is checked as a list, so that a mistake names its field. */
function oneOrMany<const S extends Schema>(record: S) {
  const items = v.pipe(
    v.array(record),
    v.minLength(1, 'must hold at least one record'),
    // The ingestion enforces it, since it is a setting.
    v.metadata({ jsonSchema: { maxItems: limits.telemetryRecords } } satisfies TypeMetadata),
    v.description(`At most ${limits.telemetryRecords} records, where \`LIMIT_TELEMETRY_RECORDS\` says nothing else.`),
  )
  const many = v.strictObject({ items })
  return {
    schema: v.union([many, record]),
    pick: (value: unknown) => (typeof value === 'object' && value !== null && 'items' in value ? many : record),
  }
}

const description =
  'One record, or `{ items: […] }` of at most 500, which are kept all or not at all. No credential is looked at, and pages of any origin may send (CORS, without credentials). Each address has a number of requests a minute and of bytes a day.'

const rate = {
  limit: 'telemetryRequestsPerMinute',
  windowMs: 60_000,
  of: 'telemetry requests from this address',
  shared: true,
} as const

export const telemetryRoutes = {
  ingestConsoleLogs: restRoute({
    name: 'ingestConsoleLogs',
    method: 'POST',
    path: '/api/telemetry/console-logs',
    tag: 'Telemetry',
    summary: 'Keep log records',
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
    summary: 'Keep analytics events',
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
    summary: 'Telemetry as a file',
    description:
      'The newest records that fit the query: at most 50000 as CSV or Markdown, 5000 as PDF, and 32 MiB of them. A file that was cut says so in its last line.',
    access: 'sessions',
    body: { limit: 'telemetryExportBodyBytes', schema: exportRequest },
    answers: {
      200: {
        description: 'The file.',
        mediaTypes: ['text/csv', 'text/markdown', 'application/pdf'],
        headers: { 'Content-Disposition': 'The name of the file.' },
      },
    },
    refusals: ['COST_LIMIT_EXCEEDED', 'NOT_FOUND'],
  }),
} as const
