/** Values of any form within a record, bounded: what one record holds must not cost the server more than its bytes. */
import * as v from 'valibot'
import type { Json } from '../core/actor.ts'
import type { TypeMetadata } from '../core/types.ts'
import type { TelemetryFields } from './record.ts'

/** Of one body, attributes or resource. */
export const bounds = { depth: 8, values: 256, keyCharacters: 256, characters: 65_536 } as const

/** Returns the error in a body, attributes or resource of a record, or undefined if there is none. */
function problemOf(value: unknown): string | undefined {
  let values = 0
  let characters = 0
  const walk = (one: unknown, depth: number): string | undefined => {
    if (++values > bounds.values) return `must have at most ${bounds.values} values`
    if (typeof one === 'string') characters += one.length
    if (characters > bounds.characters) return `must have at most ${bounds.characters} characters`
    if (typeof one !== 'object' || one === null) return undefined
    if (depth >= bounds.depth) return `must be nested at most ${bounds.depth} deep`
    for (const [key, inner] of Object.entries(one)) {
      if (key.length > bounds.keyCharacters) return `must have keys of at most ${bounds.keyCharacters} characters`
      if (!Array.isArray(one)) characters += key.length
      const problem = walk(inner, depth + 1)
      if (problem !== undefined) return problem
    }
    return undefined
  }
  return walk(value, 0)
}

/**
 * A character that no text of PostgreSQL can hold becomes U+FFFD, the sign for a character that could not be kept: a log that holds half
 * an emoji must not lose the batch that it came in.
 */
function storable(text: string): string {
  return text.toWellFormed().replaceAll('\0', '\ufffd')
}

function storableValue(value: Json): Json {
  if (typeof value === 'string') return storable(value)
  if (Array.isArray(value)) return value.map(storableValue)
  return typeof value === 'object' && value !== null ? storableFields(value as TelemetryFields) : value
}

function storableFields(fields: TelemetryFields): TelemetryFields {
  return Object.fromEntries(Object.entries(fields).map(([key, value]) => [storable(key), storableValue(value)]))
}

function bounded(value: unknown): boolean {
  return problemOf(value) === undefined
}

const isFields = (value: unknown): boolean => typeof value === 'object' && value !== null && !Array.isArray(value)

/** A text, or any JSON but null. */
export const anyValue = v.pipe(
  v.unknown(),
  v.metadata({ jsonTypes: ['string', 'number', 'boolean', 'array', 'object'] } satisfies TypeMetadata),
  v.check((value) => value !== null, 'must be a text or another value, not null'),
  v.check(bounded, (issue) => problemOf(issue.input) ?? ''),
  v.transform((value) => storableValue(value as Json)),
)

/** The object itself is one of the values. */
const fieldBounds = {
  maxProperties: bounds.values - 1,
  propertyNames: { maxLength: bounds.keyCharacters },
}

/** For the descriptions of what these bounds apply to. */
export const boundsText = `At most ${bounds.values} values, nested at most ${bounds.depth} deep, with at most ${bounds.characters} characters in total.`

/** An object of any JSON, such as attributes. */
export const anyFields = v.pipe(
  v.unknown(),
  v.metadata({ jsonTypes: ['object'], jsonSchema: fieldBounds } satisfies TypeMetadata),
  v.check(isFields, 'must be an object'),
  v.check(bounded, (issue) => problemOf(issue.input) ?? ''),
  v.transform((value) => storableFields(value as TelemetryFields)),
)
