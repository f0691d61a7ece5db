import { createHash } from 'node:crypto'
import type { TelemetryRecord } from '../../spec/telemetry/record.ts'

/** For how long a record's name is remembered, by when it was received. */
export const rememberedMs = 7 * 86_400_000

/** The name under which a record is kept once, as a UUID; undefined for one without a name. */
export function keyOf({ kind, recordId }: Pick<TelemetryRecord, 'kind' | 'recordId'>): string | undefined {
  if (recordId === null) return undefined
  return createHash('sha256').update(`${kind} ${recordId}`).digest('hex').slice(0, 32)
}
