import type { Locale } from '../../../../spec/pages/locales.ts'
import type { ExportFormat } from '../../../../spec/telemetry/exportRequest.ts'
import type { TelemetryQuery } from '../../../../spec/telemetry/record.ts'

/** What a file is made by, as the thread that makes it is given it. */
export interface ExportJob {
  readonly format: ExportFormat
  readonly query: TelemetryQuery
  /** As they were asked for. */
  readonly columns: readonly string[]
  readonly locale: Locale
  readonly timeZone: string
  /** When it was asked for, milliseconds since 1970. */
  readonly at: number
}

/** To the thread: records, newest first, as the JSON of a list; or that there are no more. */
export type ToRenderer =
  | { readonly type: 'records'; readonly json: string }
  /** `cut`: there are more, which do not fit. */
  | { readonly type: 'end'; readonly cut: boolean }

/** From the thread: that it is done with the records and takes more; or the whole file. */
export type FromRenderer = { readonly type: 'more' } | { readonly type: 'file'; readonly file: Uint8Array }
