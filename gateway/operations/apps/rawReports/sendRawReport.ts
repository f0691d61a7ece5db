import type { TypedRow } from '../../../../machines/rows.ts'
import type { CrashReportFormat } from '../../../../spec/apps/rawCrashReports.ts'
import { Failure } from '../../../../spec/core/failure.ts'
import type { HttpRequest } from '../../../http/request.ts'
import type { Answer } from '../../../http/route.ts'
import { sendRange } from '../../core/files/sendRange.ts'
import type { RequestContext } from '../../requestContext.ts'

/** The first line of an `.ips` file is JSON, and the rest may be JSON or text. */
const contentTypes: Readonly<Record<CrashReportFormat, string>> = {
  IPS: 'text/plain; charset=utf-8',
  CRASH: 'text/plain; charset=utf-8',
  METRIC_KIT: 'application/json',
  JSON: 'application/json',
}

/** @throws Failure NOT_FOUND if the report was not sent as a file, or the file is not stored any more */
export async function sendRawReport(
  row: TypedRow<'crashReport'>,
  request: HttpRequest,
  { rawCrashReports, now }: RequestContext<'rawCrashReports'>,
): Promise<Answer> {
  const { id } = row
  const raw = await rawCrashReports.find(row, now)
  if (raw === undefined) throw noRawReport(row)
  const { name, size, format } = raw
  return sendRange(
    {
      name,
      size,
      contentType: contentTypes[format],
      version: id,
      read: (from, to) => rawCrashReports.read(id, from, to),
    },
    request,
  )
}

function noRawReport({ id, init }: TypedRow<'crashReport'>): Failure {
  const [reason, problem] =
    init.raw === undefined
      ? ([
          'NOT_SENT_AS_FILE',
          `The crash report ${id} was recorded without a file, so there is nothing to download.`,
        ] as const)
      : ([
          'DELETED',
          `The file of the crash report ${id} is not stored any more. RAW_CRASH_REPORT_RETENTION_DAYS sets how long files are kept. ` +
            'The report still has its threads.',
        ] as const)
  return new Failure('NOT_FOUND', problem, { details: { id, reason } })
}
