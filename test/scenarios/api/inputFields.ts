/** The fields of a mutation's input, found in its declaration, with values that none of them may accept. */
import * as v from 'valibot'
import { describe } from '../../../gateway/operations/core/shapes.ts'
import type { ActorKind } from '../../../spec/core/kinds.ts'
import type { Schema, TypeMetadata } from '../../../spec/core/types.ts'

export interface InputField {
  /** As in a refusal: `steps.0.name`. */
  readonly path: string
  readonly isRequired: boolean
  /** The kind of actor that an ID must name. */
  readonly idOf: ActorKind | undefined
  readonly badValues: readonly BadValue[]
}

export interface BadValue {
  readonly value: unknown
  /** GraphQL names the field in its message. The schema of the field names it in `details`. */
  readonly refusedBy: 'GraphQL' | 'schema'
}

/** A text that may be longer is a document with a format of its own, and one that is too long is refused as a body that is too large. */
const bodyLimit = 1_000_000
/** GraphQL's own bound of an `Int`. */
const maxInt = 2 ** 31 - 1
const controls = ['a\u0000b', 'a\u0007', '\u007f', 'a\ud800b', '\udc00']

/** @param valid an input that the mutation accepts: fields of lists and of one of several choices are found if it has them */
export function listFields(input: Schema, valid: unknown, parent = ''): readonly InputField[] {
  const { shape } = describe(input)
  if (shape.kind !== 'object') return []
  const given = (valid ?? {}) as Readonly<Record<string, unknown>>
  return Object.entries(shape.fields).flatMap(([name, schema]): readonly InputField[] => {
    if (shape.isOneOf && !(name in given)) return []
    const path = `${parent}${name}`
    const { shape: own, nullable, fallback } = describe(schema)
    const value = given[name]
    const isRequired = !nullable && fallback === undefined && !shape.isOneOf
    const field = { path, isRequired, idOf: idOf(schema), badValues: findBadValues(schema) }
    if (own.kind === 'list' && Array.isArray(value)) return [field, ...listFields(own.item, value[0], `${path}.0.`)]
    if (own.kind === 'object' && (value !== undefined || (!own.isOneOf && !hasRequired(own.fields))))
      return [field, ...listFields(schema, value, `${path}.`)]
    return [field]
  })
}

function hasRequired(fields: Readonly<Record<string, Schema>>): boolean {
  return Object.values(fields).some((schema) => !describe(schema).nullable)
}

function idOf(schema: Schema): ActorKind | undefined {
  return metadata(schema).idOf
}

function findBadValues(schema: Schema): readonly BadValue[] {
  const { shape } = describe(schema)
  if (shape.kind === 'enum') return byGraphql('NONE_OF_THEM', 3)
  if (shape.kind !== 'scalar') return []
  switch (shape.name) {
    case 'ID':
      return findBadIds(idOf(schema))
    case 'String':
      return findBadTexts(schema)
    case 'DateTime':
      return [...bySchema('', 'yesterday', ...controls), ...byGraphql(7, { a: 1 })]
    case 'Int':
      return findBadNumbers(schema)
    case 'Boolean':
      return byGraphql('yes', 1)
    default:
      return []
  }
}

function findBadIds(kind: ActorKind | undefined): readonly BadValue[] {
  if (kind === undefined) return byGraphql(true, ['a'])
  const other = kind === 'run' ? 'wt' : 'run'
  const wrong = ['', 'nonsense', `${other}_${'0'.repeat(26)}`, `agent_${'0'.repeat(26)}`, `run_${'8'.repeat(26)}`]
  return [...bySchema(...wrong), ...byGraphql(true, ['a'])]
}

function findBadTexts(schema: Schema): readonly BadValue[] {
  const min = bound(schema, 'min_length') ?? 0
  const max = bound(schema, 'max_length')
  const isDocument = max !== undefined && max > bodyLimit
  return [
    ...(min > 0 || max === undefined ? bySchema('') : []),
    ...(isDocument ? [] : bySchema('x'.repeat((max ?? 10_000) + 1), ...controls)),
    ...byGraphql(7, { a: 1 }),
  ]
}

function findBadNumbers(schema: Schema): readonly BadValue[] {
  const min = bound(schema, 'min_value')
  const max = bound(schema, 'max_value')
  return [
    ...(min === undefined ? [] : bySchema(min - 1)),
    ...(max === undefined || max >= maxInt ? [] : bySchema(max + 1)),
    ...byGraphql(1.5, 'one', maxInt + 1, 2 ** 40),
  ]
}

const bySchema = (...values: unknown[]): readonly BadValue[] => values.map((value) => ({ value, refusedBy: 'schema' }))
const byGraphql = (...values: unknown[]): readonly BadValue[] =>
  values.map((value) => ({ value, refusedBy: 'GraphQL' }))

interface Step {
  readonly type: string
  readonly requirement?: unknown
  readonly pipe?: readonly Step[]
  readonly wrapped?: Step
}

/** The requirement of the first check of this type. */
function bound(schema: Schema | Step, type: string): number | undefined {
  const { wrapped, pipe = [] } = schema as Step
  const own = pipe.find((step) => step.type === type)?.requirement
  if (typeof own === 'number') return own
  return [...pipe.filter((step) => step !== schema), ...(wrapped ? [wrapped] : [])]
    .map((step) => bound(step, type))
    .find((found) => found !== undefined)
}

function metadata(schema: Schema): TypeMetadata {
  const { wrapped } = schema as unknown as { readonly wrapped?: Schema }
  return wrapped ? metadata(wrapped) : v.getMetadata(schema)
}

/** A copy of the input with the value at a path like `steps.0.name`. */
export function withValue(input: object, path: string, value: unknown): Record<string, unknown> {
  const copy = structuredClone(input) as Record<string, unknown>
  const names = path.split('.')
  let at = copy
  for (const name of names.slice(0, -1)) {
    at[name] ??= {}
    at = at[name] as Record<string, unknown>
  }
  at[names.at(-1) ?? ''] = value
  return copy
}
