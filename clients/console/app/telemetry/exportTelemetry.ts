/** Downloads an export of telemetry. */
import { transferFile } from '../data/requestRest.ts'
import { locale } from '../messages.ts'
import { downloadFile } from '../parts/downloadFile.ts'
import type { TelemetryFilter, TelemetryKind } from './telemetryFilters.ts'

export type ExportFormat = 'CSV' | 'MARKDOWN' | 'PDF'

interface ExportRequest {
  readonly kind: TelemetryKind
  readonly format: ExportFormat
  readonly query: TelemetryFilter & { readonly limit: number | null }
  readonly columns: readonly string[]
}

/** The server needs up to two minutes, and may queue the request. @throws ApiError */
export async function exportTelemetry(request: ExportRequest): Promise<void> {
  const { timeZone } = Intl.DateTimeFormat().resolvedOptions()
  const init = {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ ...request, locale, timeZone }),
  }
  const response = await transferFile('/api/telemetry/export', init, 'DISCONNECTED')
  const name = /filename="?([^";]+)/.exec(response.headers.get('content-disposition') ?? '')?.[1] ?? 'telemetry'
  const file = await response.blob()
  downloadFile(name, file.type, file)
}
