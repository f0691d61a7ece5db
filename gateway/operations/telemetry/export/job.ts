import type { Locale } from '../../../../spec/pages/locales.ts'
import type { ExportFormat } from '../../../../spec/telemetry/exportRequest.ts'
import type { TelemetryQuery } from '../../../../spec/telemetry/record.ts'

/** An export that the worker thread executes. */
export interface ExportJob {
  readonly format: ExportFormat
  readonly query: TelemetryQuery
  /** The names of the columns, in the order of the request. */
  readonly columns: readonly string[]
  readonly locale: Locale
  readonly timeZone: string
  /** The time of the request, in milliseconds since 1970. */
  readonly at: number
}

/** Messages to the thread: a JSON array of records, newest first, or the end of the records. */
export type ToRenderer =
  | { readonly type: 'records'; readonly json: string }
  /** `cut`: more records exist, but they exceed a limit. */
  | { readonly type: 'end'; readonly cut: boolean }

/** Messages from the thread: a request for more records, or the whole file. */
export type FromRenderer = { readonly type: 'more' } | { readonly type: 'file'; readonly file: Uint8Array }
