/** The route that exports telemetry as a file. */

import type { Failure } from '../../../../spec/core/failure.ts'
import { defaultColumns } from '../../../../spec/telemetry/columns.ts'
import { type ExportFormat, type ExportRequest, exportColumns } from '../../../../spec/telemetry/exportRequest.ts'
import { queryOf, type TelemetryFilter } from '../../../../spec/telemetry/filter.ts'
import type { TelemetryKind } from '../../../../spec/telemetry/record.ts'
import { telemetryRoutes } from '../../../../spec/telemetry/telemetryRoutes.ts'
import type { Answer } from '../../../http/route.ts'
import { wrongField } from '../../core/wrongField.ts'
import { type ServedRoute, serve } from '../../restHandler.ts'
import type { TypedViews } from '../../typedViews.ts'
import { requireSavedQuery } from '../telemetryQueries.ts'
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

export interface ExportServices {
  readonly exporter: Exporter
  readonly views: TypedViews
}

export function serveExport(telemetry: Pick<ExportServices, 'exporter'>, views: TypedViews): readonly ServedRoute[] {
  return [
    serve(telemetryRoutes.exportTelemetry, ({ request, input }) =>
      exportFile(input, request.receivedAt, { exporter: telemetry.exporter, views }),
    ),
  ]
}

interface ExportSelection {
  readonly kind: TelemetryKind
  readonly filter: TelemetryFilter
  readonly limit?: number | null | undefined
}

/** Reads the filter of an export, from a saved query or from the request. */
async function readSelection({ kind, query, queryId }: ExportRequest, views: TypedViews): Promise<ExportSelection> {
  if (queryId == null) {
    if (kind === undefined) throw wrongField('kind', 'must be given, or queryId instead')
    const { limit, ...filter } = query ?? {}
    return { kind, filter, limit }
  }
  if (query != null) throw wrongField('query', 'must not be given together with queryId: give only one of them')
  const saved = await requireSavedQuery(queryId, views, 'queryId')
  if (kind !== undefined && kind !== saved.kind)
    throw wrongField('kind', `must be ${saved.kind}, the kind of the saved query`)
  return saved
}

async function exportFile(request: ExportRequest, at: number, { exporter, views }: ExportServices): Promise<Answer> {
  const { format, locale, timeZone } = request
  const { kind, filter, limit } = await readSelection(request, views)
  const columns = request.columns ?? defaultColumns[kind]
  if (columns.length > exportColumns[format]) throw tooManyColumns(format)
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

function tooManyColumns(format: ExportFormat): Failure {
  return wrongField('columns', `must name at most ${exportColumns[format]} for ${format}`)
}
