import type { TelemetryReader, TelemetryRecord } from '../../spec/telemetry/record.ts'

/**
 * Telemetry: records without a lifecycle, kept by the month. An append is atomic: all its records are kept or none. A record whose
 * `recordId` was kept in the last seven days (of the same kind, whichever process kept it) is passed over, also within one append and
 * at the same time. What is kept is durable when `append` resolves. Where it fails, whether it was kept is not known: the
 * sender repeats, and names its records to have each once.
 */
export interface Telemetry extends TelemetryReader {
  append(records: readonly TelemetryRecord[]): Promise<{ readonly kept: number; readonly duplicates: number }>
}
