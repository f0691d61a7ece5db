/**
 * The vocabulary in which operations describe what goes in and out. A valibot schema is the one source: TypeScript types,
 * validation, the GraphQL schema, the OpenAPI document and the MCP tools' JSON schemas are made of it. What valibot has no
 * word for (the name of a GraphQL type, a scalar) is metadata on the schema.
 */
import * as v from 'valibot'
import { type ActorKind, idPrefixes, kindOfId } from './ids.ts'

export type Schema = v.GenericSchema

/** Metadata that the schema printers read. */
export interface TypeMetadata {
  /** The name of the object, input, enum or interface in GraphQL. */
  readonly typeName?: string
  /** A GraphQL scalar other than the one that the schema's own type stands for. */
  readonly scalar?: 'ID' | 'DateTime' | 'JSON' | 'Float'
  /** The types that JSON has for it, where checks and not the schema's own type say what it may be. */
  readonly jsonTypes?: readonly ('string' | 'number' | 'boolean' | 'array' | 'object')[]
  /** Keywords of JSON schema for what a check enforces, which no printer can see. */
  readonly jsonSchema?: Readonly<Record<string, unknown>>
  /** Whose ID it is. */
  readonly idOf?: ActorKind
  /** Of a list in an answer: it never has more items, so the cost of a query counts with so many. */
  readonly most?: number
}

/** A list in an answer that never has more than `most` items. */
export function atMost<const S extends Schema>(most: number, item: S) {
  return v.pipe(v.array(item), v.metadata({ most } satisfies TypeMetadata))
}

/** Gives an object or a picklist its name in GraphQL, and a description. */
export function named<const S extends Schema>(typeName: string, description: string, schema: S) {
  return v.pipe(schema, v.metadata({ typeName } satisfies TypeMetadata), v.description(description))
}

/** An actor's ID, as it is given by a caller. */
export function idOf(kind: ActorKind) {
  return v.pipe(
    v.string(),
    v.check((id) => kindOfId(id) === kind, `must be the ID of a ${kind}: "${idPrefixes[kind]}_" and 26 characters`),
    v.metadata({ scalar: 'ID', idOf: kind } satisfies TypeMetadata),
  )
}

/** The ID of an actor of any kind, as it is given by a caller. */
export const anyId = v.pipe(
  v.string(),
  v.check((id) => kindOfId(id) !== undefined, 'must be an ID: a prefix, "_" and 26 characters'),
  v.metadata({ scalar: 'ID' } satisfies TypeMetadata),
)

/** An ID in an answer, or of any kind in an input. */
export const id = v.pipe(v.string(), v.metadata({ scalar: 'ID' } satisfies TypeMetadata))

/** RFC 3339 with milliseconds and Z. */
export const dateTime = v.pipe(v.string(), v.metadata({ scalar: 'DateTime' } satisfies TypeMetadata))

export const int = v.pipe(v.number(), v.integer())

export const json = v.pipe(v.unknown(), v.metadata({ scalar: 'JSON' } satisfies TypeMetadata))

// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is refused
const controls = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f\ud800-\udfff]/u

/** Text of a person or a script: well-formed Unicode without control characters (line ends and tabs may stand in it). */
export function text(bounds: { readonly min?: number; readonly max: number }) {
  return v.pipe(
    v.string(),
    v.minLength(bounds.min ?? 0, `must have at least ${bounds.min ?? 0} characters`),
    v.maxLength(bounds.max, `must have at most ${bounds.max} characters`),
    v.check((value) => !controls.test(value), 'must not contain control characters or lone surrogates'),
  )
}

const dayMs = 86_400_000
const padded = (count: number, width: number, end: string): readonly string[] =>
  Array.from({ length: count }, (_, number) => String(number).padStart(width, '0') + end)
const hours = padded(24, 2, ':')
const minutes = padded(60, 2, ':')
const seconds = padded(60, 2, '.')
const milliseconds = padded(1_000, 3, 'Z')
/** The dates that were shown last, by days since 1970. */
const dates = new Map<number, string>()
const keptDates = 1_000

/**
 * Milliseconds since 1970 as the surfaces show them. A list shows them by the hundred, and what `toISOString` takes for that is
 * more than all the rest of the answer.
 */
export function toDateTime(ms: number): string {
  const whole = Math.trunc(ms)
  const day = Math.floor(whole / dayMs)
  const rest = whole - day * dayMs
  const date = dates.get(day) ?? dateOf(day)
  const minute = Math.floor(rest / 60_000)
  const second = Math.floor(rest / 1_000)
  return `${date}${hours[Math.floor(minute / 60)]}${minutes[minute % 60]}${seconds[second % 60]}${milliseconds[rest % 1_000]}`
}

function dateOf(day: number): string {
  const date = new Date(day * dayMs).toISOString().slice(0, -13)
  if (dates.size >= keptDates) dates.clear()
  dates.set(day, date)
  return date
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is taken out
const unprintable = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f\ud800-\udfff]/gu

/**
 * Words of a program (git, a coding CLI) that are kept for people: whatever it printed must not make its report fail, so control
 * characters are taken out and what is too long is cut.
 */
export function words(max: number) {
  return v.pipe(
    v.string(),
    v.maxLength(100_000, 'must have at most 100000 characters'),
    v.transform((value) => {
      const plain = value.replace(unprintable, '')
      return plain.length > max ? `${plain.slice(0, max - 1)}…` : plain
    }),
  )
}
