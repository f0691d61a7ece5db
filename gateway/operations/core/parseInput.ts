/** Checks an operation's input by its valibot schema, after GraphQL has coerced it. */
import * as v from 'valibot'
import type { Schema } from '../../../spec/core/types.ts'
import { describe, takesNull } from './shapes.ts'
import { problemOf, wrongField } from './wrongField.ts'

/** @throws Failure BAD_USER_INPUT with `{ field, problem }` of the first problem */
export function parseInput(schema: Schema | undefined, value: unknown): unknown {
  if (schema === undefined) return {}
  const result = v.safeParse(schema, withoutNulls(schema, value), { abortEarly: true })
  if (result.success) return result.output
  const [issue] = result.issues
  const field = v.getDotPath(issue) ?? 'input'
  throw wrongField(field, problemOf(issue))
}

/** GraphQL callers write `null` for an omitted value. Schemas that accept only absence must accept it too. */
function withoutNulls(schema: Schema, value: unknown): unknown {
  if (value === null || typeof value !== 'object') return value
  const { shape } = describe(schema)
  if (shape.kind === 'list') return Array.isArray(value) ? value.map((item) => withoutNulls(shape.item, item)) : value
  if (shape.kind !== 'object') return value
  const cleaned: [string, unknown][] = []
  for (const [name, own] of Object.entries(value)) {
    // JSON may have the keys "constructor" and "__proto__", which every object inherits.
    const field = Object.hasOwn(shape.fields, name) ? shape.fields[name] : undefined
    if (field === undefined) cleaned.push([name, own])
    else if (own !== null || takesNull(field)) cleaned.push([name, withoutNulls(field, own)])
  }
  return Object.fromEntries(cleaned)
}
