/** The columns of an export: fields of a record, or one of its attributes. */
import type { TelemetryKind } from './record.ts'

export const plainColumns = [
  'timestamp',
  'observedTimestamp',
  'severityText',
  'severityNumber',
  'eventName',
  'body',
  'attributes',
  'resource',
  'sessionId',
  'traceId',
  'spanId',
  'recordId',
] as const
export type PlainColumn = (typeof plainColumns)[number]

export type Column =
  | { readonly type: 'plain'; readonly name: PlainColumn }
  /** The heading is the name as it was asked for: `attributes.http.status`. */
  | { readonly type: 'field'; readonly of: 'attributes' | 'resource'; readonly key: string }

export const defaultColumns: Readonly<Record<TelemetryKind, readonly PlainColumn[]>> = {
  CONSOLE_LOG: ['timestamp', 'severityText', 'body', 'sessionId', 'attributes'],
  ANALYTICS_EVENT: ['timestamp', 'eventName', 'sessionId', 'attributes'],
}

/** The names that `columnOf` accepts, as a regular expression of JSON schema. */
export const columnPattern = `^(${plainColumns.join('|')}|(attributes|resource)\\.[\\s\\S]+)$`

/** Undefined if the column does not exist. */
export function columnOf(text: string): Column | undefined {
  const plain = plainColumns.find((name) => name === text)
  if (plain !== undefined) return { type: 'plain', name: plain }
  const [, of, key] = /^(attributes|resource)\.(.+)$/s.exec(text) ?? []
  if (key === undefined || (of !== 'attributes' && of !== 'resource')) return undefined
  return { type: 'field', of, key }
}
