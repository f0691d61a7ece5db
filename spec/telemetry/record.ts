/** A telemetry record as it is kept: the log model of OpenTelemetry, with what makes it idempotent and whose session it is. */
import type { Json } from '../core/actor.ts'

export const telemetryKinds = ['CONSOLE_LOG', 'ANALYTICS_EVENT'] as const
export type TelemetryKind = (typeof telemetryKinds)[number]

export interface TelemetryRecord {
  readonly kind: TelemetryKind
  /** The sender's own ID of the record. A record with the same ID and kind is stored once. */
  readonly recordId: string | null
  /** The time of the event by the sender's clock, else the time of receipt. Milliseconds since 1970. */
  readonly timestamp: number
  /** The time of receipt, milliseconds since 1970. */
  readonly observedTimestamp: number
  readonly severityText: string | null
  /** 1 to 24, as OpenTelemetry counts: TRACE from 1, DEBUG 5, INFO 9, WARN 13, ERROR 17, FATAL 21. */
  readonly severityNumber: number | null
  readonly eventName: string | null
  readonly body: Json
  readonly attributes: TelemetryFields
  readonly resource: TelemetryFields
  /** 32 and 16 hexadecimal digits in lower case. */
  readonly traceId: string | null
  readonly spanId: string | null
  readonly sessionId: string | null
}

export type TelemetryFields = Readonly<Record<string, Json>>

/** The position of a record in the order of arrival. Newer records have greater positions. */
export interface TelemetryPosition {
  readonly observedTimestamp: number
  readonly number: number
}

export interface StoredTelemetry extends TelemetryRecord {
  /** Counts what was ever kept; with gaps. */
  readonly number: number
}

/** A filter. A record must match all given fields. */
export interface TelemetryQuery {
  readonly kind: TelemetryKind
  /** Of `observedTimestamp`, milliseconds since 1970: from inclusive, to exclusive. */
  readonly from?: number | undefined
  readonly to?: number | undefined
  /** The least `severityNumber`; records without one are left out. */
  readonly severityMin?: number | undefined
  /** Stands somewhere in the body or the event's name, in capitals or not. */
  readonly text?: string | undefined
  readonly sessionId?: string | undefined
  readonly eventName?: string | undefined
  readonly traceId?: string | undefined
}

/** Reads what is kept, newest first. */
export interface TelemetryReader {
  /**
   * @param after the last one of the page before, exclusive
   * @throws Failure COST_LIMIT_EXCEEDED where it looks at too much
   */
  read(query: TelemetryQuery, after: TelemetryPosition | undefined, limit: number): Promise<readonly StoredTelemetry[]>
}
