/** Refuses unknown fields, and arrays in the place of objects, in the input of tools. GraphQL refuses them by its schema. */

import { Failure } from '../../../spec/core/failure.ts'
import type { Schema } from '../../../spec/core/types.ts'
import { notAnObject } from './arrayForObject.ts'
import { describe } from './shapes.ts'

/** @throws Failure BAD_USER_INPUT */
export function refuseUnknownFields(schema: Schema | undefined, value: unknown, path = ''): void {
  if (value === null || typeof value !== 'object') return
  if (schema === undefined) {
    refuseFirst({}, value, path)
    return
  }
  const { shape } = describe(schema)
  if (shape.kind === 'list' && Array.isArray(value)) {
    for (const [index, item] of value.entries()) refuseUnknownFields(shape.item, item, `${path}${index}.`)
  }
  if (shape.kind !== 'object') return
  if (Array.isArray(value)) throw wrong(path.replace(/\.$/, ''), notAnObject)
  refuseFirst(shape.fields, value, path)
  for (const [name, own] of Object.entries(value)) refuseUnknownFields(shape.fields[name], own, `${path}${name}.`)
}

function refuseFirst(fields: Readonly<Record<string, Schema>>, value: object, path: string): void {
  const unknown = Object.keys(value).find((name) => !Object.hasOwn(fields, name))
  if (unknown === undefined) return
  const known = Object.keys(fields)
  const problem =
    known.length === 0
      ? 'no fields are accepted here'
      : `is not a known field; the known fields are ${known.join(', ')}`
  throw wrong(`${path}${unknown}`, problem)
}

function wrong(field: string, problem: string): Failure {
  return new Failure('BAD_USER_INPUT', `${field}: ${problem}`, { details: { field, problem } })
}
