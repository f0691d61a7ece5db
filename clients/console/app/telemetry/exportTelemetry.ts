/** Downloads an export of telemetry. */
import { ApiError, fromGraphqlError } from '../data/apiError.ts'
import { reportIfSignedOut } from '../data/request.ts'
import { locale, messages } from '../messages.ts'
import { downloadFile } from '../parts/downloadFile.ts'
import type { TelemetryFilter, TelemetryKind } from './telemetryFilters.ts'

const { errors: texts } = messages.parts

export type ExportFormat = 'CSV' | 'MARKDOWN' | 'PDF'

interface ExportRequest {
  readonly kind: TelemetryKind
  readonly format: ExportFormat
  readonly query: TelemetryFilter & { readonly limit: number | null }
  readonly columns: readonly string[]
}

interface ErrorResponse {
  readonly error?: {
    readonly code: string
    readonly message: string
    readonly requestId?: string
    readonly field?: string
    readonly problem?: string
  }
}

/** The server needs up to two minutes and may queue the request, so there is no time limit. @throws ApiError */
export async function exportTelemetry(request: ExportRequest): Promise<void> {
  const { timeZone } = Intl.DateTimeFormat().resolvedOptions()
  const response = await fetch('/api/telemetry/export', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ ...request, locale, timeZone }),
  }).catch(() => undefined)
  if (response === undefined) throw new ApiError('DISCONNECTED', texts.notResponding, { retryable: true })
  if (!response.ok) throw await toError(response)
  const name = /filename="?([^";]+)/.exec(response.headers.get('content-disposition') ?? '')?.[1] ?? 'telemetry'
  const file = await response.blob()
  downloadFile(name, file.type, file)
}

async function toError(response: Response): Promise<ApiError> {
  const { error }: ErrorResponse = await response.json().catch(() => ({}))
  const { code = String(response.status), message = texts.exportFailed, requestId = '', field, problem } = error ?? {}
  const details = { ...(field === undefined ? {} : { field }), ...(problem === undefined ? {} : { problem }) }
  return reportIfSignedOut(fromGraphqlError({ message, extensions: { code, requestId, details } }), response.status)
}
