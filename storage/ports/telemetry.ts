import type { TelemetryReader, TelemetryRecord } from '../../spec/telemetry/record.ts'

/**
 * Telemetry: records without a lifecycle, stored by month. An append is atomic: all its records are stored or none. A record is
 * skipped if a record of the same kind with its `recordId` was stored in the last seven days, by whatever process. That also
 * holds within one append and for concurrent appends. Records are durable when `append` resolves. If `append` fails, it is
 * unknown whether they were stored: the sender repeats, and gives its records IDs so that each is stored once.
 */
export interface Telemetry extends TelemetryReader {
  append(records: readonly TelemetryRecord[]): Promise<{ readonly kept: number; readonly duplicates: number }>
}
