import type { RunMeasurement } from '../../spec/runs/runMeasurement.ts'
import { placeOf } from './timeScale.ts'

/** The columns of the table `run_measurement`, each with its type. */
const types = {
  run_id: 'text',
  agent_id: 'text',
  repository: 'text',
  kind: 'text',
  queued_at: 'bigint',
  admitted_at: 'bigint',
  started_at: 'bigint',
  ended_at: 'bigint',
  status: 'text',
  input_tokens: 'double precision',
  output_tokens: 'double precision',
  cached_input_tokens: 'double precision',
  cost: 'double precision',
  currency: 'text',
  wait_place: 'smallint',
  duration_place: 'smallint',
} as const

export type MeasurementRow = Readonly<Record<keyof typeof types, string | number | null>>

export const measurementColumns = Object.keys(types).join(', ')

/** The columns as a definition for `json_to_recordset`. */
export const measurementRecord = Object.entries(types)
  .map(([name, type]) => `${name} ${type}`)
  .join(', ')

export function measurementRow(measurement: RunMeasurement): MeasurementRow {
  const { queuedAt, admittedAt, startedAt, endedAt, usage } = measurement
  const { queueWaitMs, durationMs } = timesOf(measurement)
  return {
    run_id: measurement.runId,
    agent_id: measurement.agentId,
    repository: measurement.repository,
    kind: measurement.kind,
    queued_at: queuedAt,
    admitted_at: admittedAt,
    started_at: startedAt,
    ended_at: endedAt,
    status: measurement.status,
    input_tokens: usage?.inputTokens ?? null,
    output_tokens: usage?.outputTokens ?? null,
    cached_input_tokens: usage === null ? null : (usage.cachedInputTokens ?? 0),
    cost: usage?.cost?.amount ?? null,
    currency: usage?.cost?.currency ?? null,
    wait_place: queueWaitMs === null ? null : placeOf(queueWaitMs),
    duration_place: durationMs === null ? null : placeOf(durationMs),
  }
}

/** The times of an ended run, as `Run.queueWaitMs` and `Run.durationMs` have them. */
export function timesOf({ queuedAt, admittedAt, startedAt, endedAt }: RunMeasurement) {
  const elapsed = (from: number | null, to: number | null) =>
    from === null || to === null || endedAt === null ? null : Math.max(0, to - from)
  return { queueWaitMs: elapsed(queuedAt, admittedAt ?? endedAt), durationMs: elapsed(startedAt, endedAt) }
}
