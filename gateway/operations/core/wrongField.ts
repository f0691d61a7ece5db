/** The refusal of one field of an input. */
import type * as v from 'valibot'
import { Failure } from '../../../spec/core/failure.ts'

/** @param problem completes "The field …", for example "must be given" */
export function wrongField(field: string, problem: string): Failure {
  return new Failure('BAD_USER_INPUT', `${field}: ${problem}`, { details: { field, problem } })
}

/** The problem of a field. Valibot's own text for a missing or unknown field is about keys and types. */
export function problemOf({ path, type, expected, received, message }: v.BaseIssue<unknown>): string {
  if (path === undefined || (type !== 'object' && type !== 'strict_object')) return message
  if (expected === 'never') return 'is not a field of this request'
  return received === 'undefined' ? 'must be given' : message
}
