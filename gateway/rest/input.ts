/** Reads and validates the input of REST routes. */
import * as v from 'valibot'
import type { Failure } from '../../spec/core/failure.ts'
import type { Schema } from '../../spec/core/types.ts'
import { readJson } from '../http/jsonBody.ts'
import type { HttpRequest } from '../http/request.ts'
import { findArrayForObject, notAnObject } from '../operations/core/arrayForObject.ts'
import { problemOf, wrongField } from '../operations/core/wrongField.ts'

/** Accepts any object, or no body at all. The schema validates its fields. */
export async function bodyOf<const S extends v.GenericSchema>(
  request: HttpRequest,
  { schema, pick }: { readonly schema: S; pick?(value: unknown): Schema },
  limit: number,
): Promise<v.InferOutput<S>> {
  const value = request.body.isPresent ? await readJson(request, limit) : {}
  return checked(pick?.(value) ?? schema, value) as v.InferOutput<S>
}

export function checked<const S extends v.GenericSchema>(schema: S, value: unknown): v.InferOutput<S> {
  const array = findArrayForObject(schema, value)
  if (array) throw wrong(array, notAnObject)
  const result = v.safeParse(schema, value)
  if (result.success) return result.output
  const [issue] = result.issues
  throw wrong(
    (issue.path ?? []).map(({ key }) => key),
    problemOf(issue),
  )
}

/** @param path to the field, which is written as `items[3].severityNumber` */
function wrong(path: readonly unknown[], problem: string): Failure {
  const written = path.map((key, index) =>
    typeof key === 'number' ? `[${key}]` : index === 0 ? key : `.${String(key)}`,
  )
  return wrongField(written.join('') || 'body', problem)
}
