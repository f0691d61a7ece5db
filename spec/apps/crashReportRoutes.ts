/** The routes by which apps and scripts send crash reports, and by which people download what was sent. */
import * as v from 'valibot'
import { id, idOf, named } from '../core/types.ts'
import { beyondEnd, fileAnswers, fileRequestHeaders } from '../rest/fileDownload.ts'
import { badInput } from '../rest/refusals.ts'
import { restRoute } from '../rest/restRoute.ts'
import { crashStatus } from './crashReports.ts'

/** Media types of crash reports. All are read alike, because tools do not agree on one. */
export const crashReportTypes = ['application/json', 'text/plain', 'application/octet-stream'] as const

/** Content encodings of crash reports. */
export const crashReportEncodings = ['identity', 'gzip', 'deflate', 'br', 'zstd'] as const

const receivedReport = named(
  'ReceivedCrashReport',
  'A crash report that was stored.',
  v.object({
    id,
    reportId: v.pipe(
      v.string(),
      v.description('The UUID of the report. If it had none, one that follows from its bytes.'),
    ),
    appId: id,
    status: crashStatus,
  }),
)

const stored = { body: receivedReport } as const

export const crashReportRoutes = {
  sendCrashReport: restRoute({
    name: 'sendCrashReport',
    method: 'POST',
    path: '/api/public/crash-reports',
    tag: 'Crash reports',
    summary: 'Send a crash report',
    description:
      'Takes an `.ips` or `.crash` file of Apple, the JSON of a crash diagnostic or a payload with one crash of MetricKit, or the ' +
      'input of `recordCrashReport` as JSON. The format is detected. The body may be compressed (`Content-Encoding`: gzip, ' +
      'deflate, br or zstd). A report is identified by its UUID: a repeat is stored once. With an API key (`X-API-Key`), an unknown app is ' +
      'created. Without a credential, an unknown app becomes an UNCLAIMED app, which keeps a limited number of reports. Pages of ' +
      'any origin may send (CORS, without credentials). While crash reports are not collected, the body is not read.',
    access: 'crashReporters',
    anyOrigin: true,
    rate: {
      limit: 'crashReportsPerMinute',
      windowMs: 60_000,
      of: 'crash reports from this address',
      onlyAnonymous: true,
    },
    rawBody: {
      limit: 'crashReportBodyBytes',
      mediaType: 'application/octet-stream',
      description: `The report, as ${crashReportTypes.join(', ')}.`,
    },
    answers: {
      200: { description: 'The report is stored already. Its current state is returned.', ...stored },
      201: { description: 'The report is durably stored.', ...stored },
      202: { description: 'Crash reports are not collected now, and nothing was stored.' },
    },
    refusals: [
      badInput,
      'CONFLICT',
      'RATE_LIMITED',
      {
        code: 'INSUFFICIENT_STORAGE',
        extras: { reserve: v.pipe(v.number(), v.description('The number of bytes that must stay free.')) },
      },
    ],
  }),
  downloadRawCrashReport: restRoute({
    name: 'downloadRawCrashReport',
    method: 'GET',
    path: '/api/crash-reports/{id}/raw',
    tag: 'Crash reports',
    summary: 'Download a crash report as it was sent',
    description:
      'Sends the file that an app or a script has sent, without its `Content-Encoding`. It is deleted after ' +
      '`RAW_CRASH_REPORT_RETENTION_DAYS`, and the report is kept. The field `rawReport` of a crash report shows whether there is a file.',
    access: 'people',
    params: v.object({ id: idOf('crashReport') }),
    requestHeaders: fileRequestHeaders,
    answers: fileAnswers(
      'The report, as it was sent.',
      'Identifies the file, in quotation marks. A raw report never changes.',
    ),
    refusals: [
      {
        code: 'NOT_FOUND',
        extras: {
          id,
          reason: v.pipe(
            v.optional(v.picklist(['NOT_SENT_AS_FILE', 'DELETED'])),
            v.description(
              'NOT_SENT_AS_FILE: the report was recorded without a file, or before files were stored. DELETED: the file is not stored any more. ' +
                'Absent if there is no such report.',
            ),
          ),
        },
      },
      beyondEnd,
    ],
  }),
} as const
