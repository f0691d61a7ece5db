/** Random values that a valibot schema accepts. A hint provides values that cannot be derived from a schema. */
import fc from 'fast-check'
import * as v from 'valibot'
import { type ActorKind, actorKinds, idPrefixes } from '../../../../spec/core/ids.ts'
import type { Schema, TypeMetadata } from '../../../../spec/core/types.ts'
import type { Random } from '../../soak/random.ts'

/** The hint for a field that must be omitted. */
export const leftOut = Symbol('left out')

export interface ValueSource {
  readonly random: Random
  /** An ID of one of these kinds, usually of an existing actor. */
  id(kinds: readonly ActorKind[], field: string): string
  /** The value of the field; undefined for a random one. */
  hint(path: readonly string[]): unknown
}

/** The properties of valibot's schema objects that are read here; which of them exist depends on `type`. */
interface Parts {
  readonly type: string
  readonly wrapped?: Schema
  readonly entries?: Readonly<Record<string, Schema>>
  readonly item?: Schema
  readonly items?: readonly Schema[]
  readonly options?: readonly unknown[]
  readonly literal?: unknown
  readonly value?: Schema
  readonly getter?: (input: unknown) => Schema
  readonly pipe?: readonly Step[]
}

interface Step {
  readonly kind: string
  readonly type: string
  readonly requirement?: unknown
  readonly pipe?: readonly Step[]
}

const parts = (schema: Schema): Parts => schema as unknown as Parts

/** @throws Error if no generated value is valid: the field then needs a hint */
export function fittingValue(schema: Schema, source: ValueSource, path: readonly string[] = []): unknown {
  const hinted = source.hint(path)
  if (hinted === leftOut) return undefined
  if (hinted !== undefined) return hinted
  for (let tries = 0; tries < 40; tries++) {
    const value = made(schema, source, path, tries)
    if (v.safeParse(schema, value).success) return value
  }
  throw new Error(`no generated value is valid for ${path.join('.')}: add a hint in test/longRuns/fuzz/make/hints.ts`)
}

function made(schema: Schema, source: ValueSource, path: readonly string[], tries: number): unknown {
  const { random } = source
  const own = parts(schema)
  switch (own.type) {
    case 'optional':
    case 'exact_optional':
    case 'undefinedable':
      return random.chance(0.5) || !own.wrapped ? undefined : fittingValue(own.wrapped, source, path)
    case 'nullable':
      return random.chance(0.3) || !own.wrapped ? null : fittingValue(own.wrapped, source, path)
    case 'nullish':
      return random.chance(0.5) || !own.wrapped
        ? random.chance(0.2)
          ? null
          : undefined
        : fittingValue(own.wrapped, source, path)
    case 'non_optional':
    case 'non_nullable':
    case 'non_nullish':
      return own.wrapped && fittingValue(own.wrapped, source, path)
    case 'lazy':
      return own.getter && fittingValue(own.getter(undefined), source, path)
    case 'object':
    case 'strict_object':
    case 'loose_object':
    case 'object_with_rest':
      return (v.getMetadata(schema) as TypeMetadata).isOneOf
        ? oneChoice(own.entries ?? {}, source, path)
        : objectOf(own.entries ?? {}, source, path)
    case 'intersect':
      return Object.assign({}, ...(own.options ?? []).map((option) => fittingValue(option as Schema, source, path)))
    case 'variant':
    case 'union':
      return fittingValue(random.pick(own.options ?? []) as Schema, source, path)
    case 'array':
      return listOf(own, source, path)
    case 'tuple':
      return (own.items ?? []).map((item, index) => fittingValue(item, source, [...path, String(index)]))
    case 'record': {
      const names = ['a', 'b', 'some name'].slice(0, random.below(4))
      return Object.fromEntries(
        names.map((name) => [name, own.value && fittingValue(own.value, source, [...path, name])]),
      )
    }
    case 'picklist':
    case 'enum':
      return random.pick(own.options ?? [])
    case 'literal':
      return own.literal
    case 'boolean':
      return random.chance(0.5)
    case 'number':
      return numberOf(stepsOf(own), random)
    case 'string':
      return stringOf(schema, source, path, tries)
    case 'null':
      return null
    case 'unknown':
    case 'any':
      return anyJson(random)
    default:
      throw new Error(`the fuzzer makes no values of a schema of type "${own.type}" (${path.join('.')})`)
  }
}

function objectOf(entries: Readonly<Record<string, Schema>>, source: ValueSource, path: readonly string[]) {
  const values = Object.entries(entries).map(
    ([name, field]) => [name, fittingValue(field, source, [...path, name])] as const,
  )
  return Object.fromEntries(values.filter(([, value]) => value !== undefined))
}

function oneChoice(choices: Readonly<Record<string, Schema>>, source: ValueSource, path: readonly string[]) {
  const [name, choice] = source.random.pick(Object.entries(choices))
  const { wrapped } = parts(choice)
  return { [name]: wrapped && fittingValue(wrapped, source, [...path, name]) }
}

function listOf(own: Parts, source: ValueSource, path: readonly string[]): unknown[] {
  const { least, most } = lengthOf(stepsOf(own))
  const { item } = own
  const size = Math.max(least, Math.min(most, source.random.pick([0, 1, 1, 2, 3])))
  return item ? Array.from({ length: size }, () => fittingValue(item, source, [...path, '*'])) : []
}

/** A pipe may begin with a schema that has a pipe of its own. */
function stepsOf({ pipe = [] }: Pick<Parts, 'pipe'>): readonly Step[] {
  return pipe.flatMap((step) => (step.pipe && step.pipe !== pipe ? stepsOf(step) : [step]))
}

function requirement(steps: readonly Step[], type: string): unknown {
  return steps.find((step) => step.type === type)?.requirement
}

function lengthOf(steps: readonly Step[]): { readonly least: number; readonly most: number } {
  const exactly = requirement(steps, 'length')
  const least = exactly ?? requirement(steps, 'min_length') ?? (steps.some(({ type }) => type === 'non_empty') ? 1 : 0)
  return { least: Number(least), most: Number(exactly ?? requirement(steps, 'max_length') ?? 100) }
}

function numberOf(steps: readonly Step[], random: Random): number {
  const whole = steps.some(({ type }) => type === 'integer' || type === 'safe_integer')
  const least = Number(requirement(steps, 'min_value') ?? -(2 ** 31))
  const most = Math.min(Number(requirement(steps, 'max_value') ?? 2 ** 31 - 1), 2 ** 31 - 1)
  const small = Math.max(least, Math.min(most, random.below(10)))
  const value = random.pick([least, most, small, small, small, random.between(Math.max(least, -1_000), most)])
  return whole ? Math.trunc(value) : value + (random.chance(0.5) && value < most ? 0.25 : 0)
}

const kindsTaken = new WeakMap<Schema, readonly ActorKind[]>()

function kindsOf(schema: Schema): readonly ActorKind[] {
  const known = kindsTaken.get(schema)
  if (known) return known
  const kinds = actorKinds.filter((kind) => v.safeParse(schema, `${idPrefixes[kind]}_${'0'.repeat(26)}`).success)
  kindsTaken.set(schema, kinds)
  return kinds
}

function stringOf(schema: Schema, source: ValueSource, path: readonly string[], tries: number): string {
  const { random } = source
  const { scalar } = v.getMetadata(schema) as TypeMetadata
  const steps = stepsOf(parts(schema))
  const field = path.at(-1) ?? ''
  if (scalar === 'ID') return source.id(kindsOf(schema), field)
  if (scalar === 'DateTime' || steps.some(({ type }) => type.startsWith('iso_'))) return someMoment(random)
  const form = requirement(steps, 'regex')
  if (form instanceof RegExp) return tries < 8 ? random.pick(matching(form)) : random.pick(plainTexts)
  if (steps.some(({ type }) => type === 'email')) return `fz${random.between(1, 10 ** 9)}@example.com`
  if (steps.some(({ type }) => type === 'url')) return 'https://example.com/x?y=z'
  if (steps.some(({ type }) => type === 'uuid')) return '0189d1a0-0000-7000-8000-000000000000'
  if (steps.some(({ type }) => type === 'base64')) return random.bytes(random.pick([0, 1, 30, 300])).toString('base64')
  const { least, most } = lengthOf(steps)
  const size = Math.max(least, Math.min(most, random.pick([1, 5, 5, 20, 20, 60, Math.min(most, 2_000)])))
  return textOf(size, random, tries)
}

function someMoment(random: Random): string {
  return new Date(Date.UTC(2026, 0, 1) + random.between(0, 10 ** 10)).toISOString()
}

const plainTexts = ['1', '2', '10', 'true', 'main', 'a', 'A name', '/a/path', 'https://example.com']
const letters = [
  'a',
  'b',
  'Z',
  '9',
  ' ',
  '-',
  '_',
  '.',
  '"',
  "'",
  '\\',
  '<',
  '&',
  '/',
  '%',
  '$',
  '{',
  '\n',
  '\t',
  'é',
  '漢',
]

/** Later tries give simpler texts. There is never a space at an end, since some fields trim it. */
function textOf(size: number, random: Random, tries: number): string {
  const from = tries < 4 ? letters : letters.slice(0, 4)
  const text = Array.from({ length: size }, () => random.pick(from)).join('')
  return text.replace(/^\s|\s$/g, 'x')
}

const samples = new Map<string, readonly string[]>()

function matching(form: RegExp): readonly string[] {
  const key = String(form)
  const known = samples.get(key)
  if (known) return known
  const made = sampled(form)
  samples.set(key, made)
  return made
}

/**
 * Texts that match a regular expression. If fast-check cannot generate them, one of the simple texts must match, or the field
 * needs a hint.
 */
function sampled(form: RegExp): readonly string[] {
  try {
    return fc.sample(fc.stringMatching(form), { numRuns: 40, seed: 1 })
  } catch {
    return plainTexts
  }
}

export function anyJson(random: Random, depth = 0): unknown {
  const leaf = [null, true, false, 0, -1, 1.5, 1e300, '', 'text', 'é ☂ 😀', '\u2028', '</script>']
  const kind = depth > 3 ? 0 : random.below(4)
  if (kind < 2) return random.pick(leaf)
  if (kind === 2) return Array.from({ length: random.below(4) }, () => anyJson(random, depth + 1))
  const names = ['a', 'b', 'type', 'constructor', 'é'].slice(0, random.below(5))
  return Object.fromEntries(names.map((name) => [name, anyJson(random, depth + 1)]))
}
