import type { StoredTelemetry, TelemetryKind, TelemetryReader, TelemetryRecord } from '../../spec/telemetry/record.ts'

/**
 * Telemetry: records without a lifecycle, stored by month. An append is atomic: all its records are stored or none. A record is
 * skipped if a record of the same kind with its `recordId` was stored in the last seven days, by whatever process. That also
 * holds within one append and for concurrent appends. Records are durable when `append` resolves. If `append` fails, it is
 * unknown whether they were stored: the sender repeats, and gives its records IDs so that each is stored once.
 */
export interface Telemetry extends TelemetryReader, TelemetryStreamReader {
  append(records: readonly TelemetryRecord[]): Promise<{ readonly kept: number; readonly duplicates: number }>
}

/**
 * A place in the order in which records become readable: the transactions that wrote them, and within one transaction their numbers. It is
 * not the order of lists, which is by time.
 */
export interface TelemetryStreamPosition {
  readonly tx: number
  readonly number: number
}

export interface TelemetryPage {
  readonly records: readonly { readonly record: StoredTelemetry; readonly position: TelemetryStreamPosition }[]
  /** The beginning of the next page. No record will ever be added between the beginning of this page and this position. */
  readonly position: TelemetryStreamPosition
  /** More records follow at once. */
  readonly more: boolean
  /** Records are stored after this page that an open transaction may still precede. They follow when it has ended. */
  readonly heldBack: boolean
  /** Not all that follows the given position is stored any more. Then `records` is empty. */
  readonly gone: boolean
}

/** Reads each record once, by whichever process it was written and however late its transaction commits. */
export interface TelemetryStreamReader {
  readAfter(kind: TelemetryKind, after: TelemetryStreamPosition, limit: number): Promise<TelemetryPage>
  /** The position after all records that are readable now. */
  streamEnd(): Promise<TelemetryStreamPosition>
}
