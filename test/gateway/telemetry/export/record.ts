import type { StoredTelemetry } from '../../../../spec/telemetry/record.ts'

/** A log record with the fields that a test gives. */
export function aRecord(own: Partial<StoredTelemetry> = {}): StoredTelemetry {
  return {
    number: 1,
    kind: 'CONSOLE_LOG',
    recordId: null,
    timestamp: 0,
    observedTimestamp: 0,
    severityText: null,
    severityNumber: null,
    eventName: null,
    body: null,
    attributes: {},
    resource: {},
    traceId: null,
    spanId: null,
    sessionId: null,
    ...own,
  }
}
