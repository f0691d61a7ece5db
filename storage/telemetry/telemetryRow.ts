/** A row of the table of telemetry, and the record that it stores. */
import type { Json } from '../../spec/core/actor.ts'
import type { StoredTelemetry, TelemetryFields, TelemetryKind } from '../../spec/telemetry/record.ts'

/** The columns of `TelemetryRow`. */
export const telemetryColumns = `at, number, kind, happened, severity, severity_text, event_name, body, body_json, attributes, resource, session_id,
  trace_id, span_id, record_id`

export interface TelemetryRow {
  readonly at: number
  readonly number: number
  readonly kind: TelemetryKind
  readonly happened: number
  readonly severity: number | null
  readonly severity_text: string | null
  readonly event_name: string | null
  readonly body: string | null
  readonly body_json: boolean
  readonly attributes: string
  readonly resource: string
  readonly session_id: string | null
  readonly trace_id: string | null
  readonly span_id: string | null
  readonly record_id: string | null
}

export function recordOf(row: TelemetryRow): StoredTelemetry {
  const body: Json = row.body_json && row.body !== null ? (JSON.parse(row.body) as Json) : row.body
  return {
    kind: row.kind,
    number: row.number,
    recordId: row.record_id,
    timestamp: row.happened,
    observedTimestamp: row.at,
    severityText: row.severity_text,
    severityNumber: row.severity,
    eventName: row.event_name,
    body,
    attributes: JSON.parse(row.attributes) as TelemetryFields,
    resource: JSON.parse(row.resource) as TelemetryFields,
    traceId: row.trace_id,
    spanId: row.span_id,
    sessionId: row.session_id,
  }
}
