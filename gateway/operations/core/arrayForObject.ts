/** Finds an array in the place of an object. Valibot treats an array as an object, and accepts it if all fields are optional. */
import type { Schema } from '../../../spec/core/types.ts'

/** The path to the array: keys of objects and indexes of arrays. */
export type FieldPath = readonly (string | number)[]

export const notAnObject = 'must be an object, not an array'

/** The properties of valibot's schema objects that are read here; which of them exist depends on `type`. */
interface Parts {
  readonly type: string
  readonly wrapped?: Schema
  readonly entries?: Readonly<Record<string, Schema>>
  /** The schema of the items of an array. */
  readonly item?: Schema
}

export function findArrayForObject(schema: Schema, value: unknown): FieldPath | undefined {
  if (value === null || typeof value !== 'object') return undefined
  const parts = schema as unknown as Parts
  switch (parts.type) {
    case 'object':
    case 'strict_object':
    case 'loose_object':
      return Array.isArray(value) ? [] : inEntries(parts.entries ?? {}, value)
    case 'record':
      return Array.isArray(value) ? [] : undefined
    case 'array':
      return Array.isArray(value) ? firstOf(value.entries(), () => parts.item) : undefined
    default:
      return parts.wrapped && findArrayForObject(parts.wrapped, value)
  }
}

function inEntries(entries: Readonly<Record<string, Schema>>, value: object): FieldPath | undefined {
  return firstOf(Object.entries(value), (name) => (Object.hasOwn(entries, name) ? entries[name] : undefined))
}

function firstOf<K extends string | number>(
  values: Iterable<readonly [K, unknown]>,
  schemaOf: (key: K) => Schema | undefined,
): FieldPath | undefined {
  for (const [key, value] of values) {
    const schema = schemaOf(key)
    const path = schema && findArrayForObject(schema, value)
    if (path) return [key, ...path]
  }
  return undefined
}
