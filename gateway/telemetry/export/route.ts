/** The route by which people take telemetry out as a file. */
import { Failure } from '../../../spec/failure.ts'
import { telemetryRoutes } from '../../../spec/rest/telemetryRoutes.ts'
import { defaultColumns } from '../../../spec/telemetry/columns.ts'
import { type ExportFormat, type ExportRequest, exportColumns } from '../../../spec/telemetry/exportRequest.ts'
import { queryOf } from '../../../spec/telemetry/filter.ts'
import type { TelemetryKind } from '../../../spec/telemetry/record.ts'
import { type ServedRoute, served } from '../../rest/served.ts'
import type { Answer } from '../../route.ts'
import type { Exporter } from './exporter.ts'

const types: Readonly<Record<ExportFormat, { readonly type: string; readonly ending: string }>> = {
  CSV: { type: 'text/csv; charset=utf-8', ending: 'csv' },
  MARKDOWN: { type: 'text/markdown; charset=utf-8', ending: 'md' },
  PDF: { type: 'application/pdf', ending: 'pdf' },
}

const names: Readonly<Record<TelemetryKind, string>> = {
  CONSOLE_LOG: 'console-logs',
  ANALYTICS_EVENT: 'analytics-events',
}

export function servedExport(of: { readonly exporter: Exporter }): readonly ServedRoute[] {
  return [served(telemetryRoutes.exportTelemetry, ({ request, input }) => file(input, request.receivedAt, of.exporter))]
}

async function file(request: ExportRequest, at: number, exporter: Exporter): Promise<Answer> {
  const { kind, format, locale, timeZone } = request
  const { limit, ...filter } = request.query ?? {}
  const columns = request.columns ?? defaultColumns[kind]
  if (columns.length > exportColumns[format]) throw tooMany(format)
  const query = queryOf(kind, filter, 'query')
  const job = { format, query, columns, locale: locale ?? 'en', timeZone: timeZone ?? 'UTC', at } as const
  const body = await exporter.export(job, limit ?? undefined)
  const { type, ending } = types[format]
  const time = new Date(at).toISOString().replace(/[-:]|\.\d+/g, '')
  return {
    status: 200,
    headers: {
      'content-type': type,
      'content-disposition': `attachment; filename="${names[kind]}-${time}.${ending}"`,
    },
    body,
  }
}

function tooMany(format: ExportFormat): Failure {
  const problem = `must name at most ${exportColumns[format]} for ${format}`
  return new Failure('BAD_USER_INPUT', `columns: ${problem}`, { details: { field: 'columns', problem } })
}
