import type { ModelAnswer, ModelRequest } from './turns.ts'

/** An event of a server-sent stream. */
export interface StreamEvent {
  readonly name?: string
  /** Text is sent unchanged, everything else as JSON. */
  readonly data: unknown
  /** The event has content, so the delay of the reply precedes it. */
  readonly isContent?: true
}

/** Translates between the HTTP interface of a vendor and the neutral form. */
export interface WireFormat {
  /** Returns undefined if the path does not belong to this format. */
  readRequest(path: string, body: JsonObject): ModelRequest | undefined
  /** The answer to a request that counts tokens. Returns undefined for every other path. */
  countTokens(path: string): unknown
  writeWhole(answer: ModelAnswer, request: ModelRequest): unknown
  writeStream(answer: ModelAnswer, request: ModelRequest): readonly StreamEvent[]
  writeError(status: number, message: string): unknown
}

export type JsonObject = Readonly<Record<string, unknown>>

export function asObject(value: unknown): JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as JsonObject) : {}
}

export function asObjects(value: unknown): readonly JsonObject[] {
  return Array.isArray(value) ? value.map(asObject) : []
}

/** The text of a content that is a string or a list of parts. */
export function readText(content: unknown): string {
  if (typeof content === 'string') return content
  return asObjects(content)
    .map(({ text }) => (typeof text === 'string' ? text : ''))
    .join('')
}

export function parseInput(json: unknown): JsonObject {
  return typeof json === 'string' && json !== '' ? asObject(JSON.parse(json)) : {}
}
