import type {
  StoredTelemetry,
  TelemetryKind,
  TelemetryPosition,
  TelemetryQuery,
  TelemetryRecord,
} from '../../../../spec/telemetry/record.ts'
import type { Telemetry, TelemetryPage, TelemetryStreamPosition } from '../../../../storage/ports/telemetry.ts'
import { keyOf } from '../../../../storage/telemetry/key.ts'
import type { MemoryState } from './state.ts'

export class MemoryTelemetry implements Telemetry {
  readonly #state: MemoryState

  constructor(state: MemoryState) {
    this.#state = state
  }

  async append(records: readonly TelemetryRecord[]): Promise<{ readonly kept: number; readonly duplicates: number }> {
    const { telemetry, telemetryKeys } = this.#state
    const before = telemetry.length
    for (const record of records) {
      const key = keyOf(record)
      if (key !== undefined && telemetryKeys.has(key)) continue
      if (key !== undefined) telemetryKeys.set(key, record.observedTimestamp)
      telemetry.push({ ...record, number: this.#state.nextTelemetry++ })
    }
    const kept = telemetry.length - before
    return { kept, duplicates: records.length - kept }
  }

  async read(
    query: TelemetryQuery,
    after: TelemetryPosition | undefined,
    limit: number,
  ): Promise<readonly StoredTelemetry[]> {
    return this.#state.telemetry
      .filter((record) => fits(record, query) && (after === undefined || compare(record, after) < 0))
      .sort((a, b) => compare(b, a))
      .slice(0, limit)
  }

  /** Each record counts as a transaction of its own. */
  async readAfter(kind: TelemetryKind, after: TelemetryStreamPosition, limit: number): Promise<TelemetryPage> {
    const gone = after.tx <= this.#state.telemetryGone
    const following = gone ? [] : this.#state.telemetry.filter((one) => one.kind === kind && one.number > after.tx)
    const records = following
      .sort((a, b) => a.number - b.number)
      .slice(0, limit)
      .map((record) => ({ record, position: { tx: record.number, number: record.number } }))
    const more = records.length === limit
    const position = more ? records.at(-1)?.position : undefined
    return { records, position: position ?? (await this.streamEnd()), more, heldBack: false, gone }
  }

  async streamEnd(): Promise<TelemetryStreamPosition> {
    return { tx: this.#state.nextTelemetry - 1, number: this.#state.nextTelemetry - 1 }
  }
}

function compare(a: TelemetryPosition, b: TelemetryPosition): number {
  return a.observedTimestamp - b.observedTimestamp || a.number - b.number
}

function fits(record: StoredTelemetry, query: TelemetryQuery): boolean {
  const { from = -Infinity, to = Infinity, severityMin, text } = query
  const { observedTimestamp: at, body } = record
  const texts = [typeof body === 'string' || body === null ? body : JSON.stringify(body), record.eventName]
  const same = (['kind', 'sessionId', 'eventName', 'traceId'] as const).every(
    (name) => query[name] === undefined || query[name] === record[name],
  )
  return (
    same &&
    at >= from &&
    at < to &&
    (severityMin === undefined || (record.severityNumber ?? 0) >= severityMin) &&
    (text === undefined || texts.some((one) => one?.toLowerCase().includes(text.toLowerCase()) === true))
  )
}
