/** Reads a valibot schema as GraphQL would: scalars, enums, objects, lists, and what may be null. */
import * as v from 'valibot'
import type { Schema, TypeMetadata } from '../../../spec/core/types.ts'

export type Shape =
  | { readonly kind: 'scalar'; readonly name: string }
  | { readonly kind: 'enum'; readonly name: string | undefined; readonly values: readonly string[] }
  | {
      readonly kind: 'object'
      readonly name: string | undefined
      readonly fields: Readonly<Record<string, Schema>>
      /** Whether a caller gives exactly one of the fields. */
      readonly isOneOf: boolean
    }
  /** One of several objects: an interface or a union. */
  | { readonly kind: 'choice'; readonly name: string | undefined; readonly options: readonly Schema[] }
  | { readonly kind: 'list'; readonly item: Schema }

export interface Described {
  readonly shape: Shape
  readonly nullable: boolean
  readonly description: string | undefined
  /** The description of the type, independent of its use. */
  readonly typeDescription: string | undefined
  readonly deprecated: string | undefined
  /** The default for an absent value: a string, a number or a boolean. */
  readonly fallback: string | number | boolean | undefined
  /** The maximum number of items of a list, if it is declared. */
  readonly most: number | undefined
}

/** The properties of valibot's schema objects that are read here; which of them exist depends on `type`. */
interface Parts {
  readonly type: string
  readonly wrapped?: Schema
  readonly default?: unknown
  readonly entries?: Readonly<Record<string, Schema>>
  readonly item?: Schema
  readonly items?: readonly Schema[]
  readonly options?: readonly unknown[]
  readonly literal?: unknown
  readonly getter?: (input: unknown) => Schema
  readonly pipe?: readonly { readonly kind: string; readonly type: string }[]
}

const wrappers: ReadonlySet<string> = new Set([
  'optional',
  'exact_optional',
  'nullable',
  'nullish',
  'undefinedable',
  'non_optional',
  'non_nullable',
  'non_nullish',
])

function parts(schema: Schema): Parts {
  return schema as unknown as Parts
}

function metadataOf(schema: Schema): TypeMetadata & { readonly deprecated?: string } {
  return v.getMetadata(schema) as TypeMetadata
}

/** The schema inside of `optional`, `nullable` and similar wrappers. */
function unwrapped(schema: Schema): { readonly schema: Schema; readonly nullable: boolean } {
  let inner = schema
  let nullable = false
  for (;;) {
    const { type, wrapped, getter } = parts(inner)
    if (wrappers.has(type) && wrapped) {
      nullable ||= !type.startsWith('non_')
      inner = wrapped
    } else if (type === 'lazy' && getter) inner = getter(undefined)
    else return { schema: inner, nullable }
  }
}

/** Whether the schema takes `null` itself, and not only the absence of a value. */
export function takesNull(schema: Schema): boolean {
  const { type, wrapped } = parts(schema)
  if (type === 'nullable' || type === 'nullish' || type === 'unknown' || type === 'any') return true
  return wrappers.has(type) && wrapped !== undefined && takesNull(wrapped)
}

export function describe(schema: Schema): Described {
  const { schema: inner, nullable } = unwrapped(schema)
  return {
    shape: shapeOf(inner),
    nullable: nullable || parts(inner).type === 'null',
    description: v.getDescription(schema) ?? v.getDescription(inner),
    typeDescription: v.getDescription(inner),
    deprecated: metadataOf(schema).deprecated ?? metadataOf(inner).deprecated,
    fallback: fallbackOf(schema),
    most: metadataOf(schema).most ?? metadataOf(inner).most,
  }
}

function fallbackOf(schema: Schema): string | number | boolean | undefined {
  const value = parts(schema).default
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean' ? value : undefined
}

function shapeOf(schema: Schema): Shape {
  const { typeName, scalar, isOneOf = false } = metadataOf(schema)
  if (scalar !== undefined) return { kind: 'scalar', name: scalar }
  const own = parts(schema)
  switch (own.type) {
    case 'string':
      return { kind: 'scalar', name: 'String' }
    case 'boolean':
      return { kind: 'scalar', name: 'Boolean' }
    case 'number': {
      return { kind: 'scalar', name: isWhole(own) ? 'Int' : 'Float' }
    }
    case 'picklist':
    case 'enum':
      return { kind: 'enum', name: typeName, values: (own.options ?? []).map(String) }
    case 'literal':
      return typeof own.literal === 'string' && typeName !== undefined
        ? { kind: 'enum', name: typeName, values: [own.literal] }
        : { kind: 'scalar', name: scalarOf(own.literal) }
    case 'array':
      return { kind: 'list', item: own.item ?? v.unknown() }
    case 'object':
    case 'strict_object':
    case 'loose_object':
    case 'object_with_rest':
      return { kind: 'object', name: typeName, fields: own.entries ?? {}, isOneOf }
    case 'intersect':
      return { kind: 'object', name: typeName, fields: merged(own.options as readonly Schema[]), isOneOf: false }
    case 'variant':
    case 'union':
      return { kind: 'choice', name: typeName, options: own.options as readonly Schema[] }
    case 'unknown':
    case 'any':
    case 'record':
    case 'null':
      return { kind: 'scalar', name: 'JSON' }
    default:
      throw new Error(`GraphQL has no word for a schema of type "${own.type}"${typeName ? ` (${typeName})` : ''}`)
  }
}

/** A pipe may begin with a schema that has a pipe of its own. */
function isWhole({ pipe }: Parts): boolean {
  return (pipe ?? []).some(
    (step) =>
      step.type === 'integer' ||
      step.type === 'safe_integer' ||
      ('pipe' in step && step.pipe !== pipe && isWhole(step as unknown as Parts)),
  )
}

function scalarOf(literal: unknown): string {
  if (typeof literal === 'boolean') return 'Boolean'
  return typeof literal === 'number' ? 'Float' : 'String'
}

function merged(options: readonly Schema[]): Record<string, Schema> {
  return Object.assign({}, ...options.map((option) => parts(unwrapped(option).schema).entries ?? {}))
}
