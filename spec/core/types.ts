/**
 * The types that operations use for inputs and outputs. A valibot schema is the one source: TypeScript types, validation, the
 * GraphQL schema, the OpenAPI document and the JSON schemas of MCP tools are derived from it. Metadata on the schema holds
 * properties that valibot cannot express, such as the name of a GraphQL type or a scalar.
 */
import * as v from 'valibot'
import { type ActorKind, idPattern, idPrefixes, kindOfId } from './ids.ts'
import { kindName } from './kinds.ts'

export type Schema = v.GenericSchema

/** Metadata that the schema printers read. */
export interface TypeMetadata {
  /** The name of the object, input, enum or interface in GraphQL. */
  readonly typeName?: string
  /** A GraphQL scalar other than the default for the schema's own type. */
  readonly scalar?: 'ID' | 'DateTime' | 'JSON' | 'Float'
  /** The JSON types that it allows, if checks decide that and not the schema's own type. */
  readonly jsonTypes?: readonly ('string' | 'number' | 'boolean' | 'array' | 'object')[]
  /** JSON schema keywords for a rule that a check enforces, since no printer can derive them from a check. */
  readonly jsonSchema?: Readonly<Record<string, unknown>>
  /** The kind of actor that the ID names. */
  readonly idOf?: ActorKind
  /** Whether a caller gives exactly one of the fields of the object. `oneOf` sets it. */
  readonly isOneOf?: true
  /** The most items of a list in an answer. The cost of a query is computed with this number. */
  readonly most?: number
}

/** A list in an answer with at most `most` items. */
export function atMost<const S extends Schema>(most: number, item: S) {
  return v.pipe(v.array(item), v.metadata({ most } satisfies TypeMetadata))
}

/** Gives an object or a picklist its name in GraphQL, and a description. */
export function named<const S extends Schema>(typeName: string, description: string, schema: S) {
  return v.pipe(schema, v.metadata({ typeName } satisfies TypeMetadata), v.description(description))
}

/** An actor's ID in an input. */
export function idOf(kind: ActorKind) {
  return v.pipe(
    v.string(),
    v.check(
      (id) => kindOfId(id) === kind,
      `must be an ID of kind ${kindName(kind)}: "${idPrefixes[kind]}_" and 26 characters`,
    ),
    v.metadata({ scalar: 'ID', idOf: kind } satisfies TypeMetadata),
  )
}

/** The ID of an actor of one of some kinds in an input. */
export function idOfOne(kinds: readonly ActorKind[]) {
  const prefixes = kinds.map((kind) => `"${idPrefixes[kind]}_"`).join(' or ')
  return v.pipe(
    v.string(),
    v.check(
      (id) => kinds.some((kind) => kindOfId(id) === kind),
      `must be an ID of kind ${kinds.map(kindName).join(' or ')}: ${prefixes} and 26 characters`,
    ),
    v.metadata({
      scalar: 'ID',
      jsonSchema: { pattern: kinds.map(idPattern).join('|') },
    } satisfies TypeMetadata),
  )
}

/** The ID of an actor of any kind in an input. */
export const anyId = v.pipe(
  v.string(),
  v.check((id) => kindOfId(id) !== undefined, 'must be an ID: a prefix, "_" and 26 characters'),
  v.metadata({ scalar: 'ID' } satisfies TypeMetadata),
)

/** An ID in an answer, or an ID of any kind in an input. */
export const id = v.pipe(v.string(), v.metadata({ scalar: 'ID' } satisfies TypeMetadata))

/** RFC 3339 with milliseconds and Z. */
export const dateTime = v.pipe(v.string(), v.metadata({ scalar: 'DateTime' } satisfies TypeMetadata))

export const int = v.pipe(v.number(), v.integer())

export const json = v.pipe(v.unknown(), v.metadata({ scalar: 'JSON' } satisfies TypeMetadata))

// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is refused
const controls = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f\ud800-\udfff]/u

const counted = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? '' : 's'}`

/** Text from a user or a script: well-formed Unicode without control characters (line ends and tabs are allowed). */
export function text(bounds: { readonly min?: number; readonly max: number }) {
  return v.pipe(
    v.string(),
    v.minLength(bounds.min ?? 0, `must have at least ${counted(bounds.min ?? 0, 'character')}`),
    v.maxLength(bounds.max, `must have at most ${counted(bounds.max, 'character')}`),
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
/** The dates that were formatted last, by days since 1970. */
const dates = new Map<number, string>()
const keptDates = 1_000

/**
 * Formats milliseconds since 1970 as a DateTime. A list has hundreds of them, and `toISOString` would take longer than the rest
 * of the answer.
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
 * Output of a program (git, a coding CLI) that is stored for users. No output can make the agent's report fail: control
 * characters are removed, and a text that is too long is truncated.
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
