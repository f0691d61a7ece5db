/** The refusal of one field of an input. */
import type * as v from 'valibot'
import { Failure } from '../../../spec/core/failure.ts'
import { printable } from './printable.ts'

/** A field of a list, and a problem, can have a key or a value of the request in them: it may be hostile, and megabytes long. */
const most = { field: 200, problem: 1_000 } as const

/** @param problem completes "The field …", for example "must be given" */
export function wrongField(field: string, problem: string): Failure {
  const details = { field: printable(field, most.field), problem: printable(problem, most.problem) }
  return new Failure('BAD_USER_INPUT', `${details.field}: ${details.problem}`, { details })
}

/** The problem of a field. Valibot's own text for a missing or unknown field is about keys and types. */
export function problemOf({ path, type, expected, received, message }: v.BaseIssue<unknown>): string {
  if (path === undefined || (type !== 'object' && type !== 'strict_object')) return message
  if (expected === 'never') return 'is not a field of this request'
  return received === 'undefined' ? 'must be given' : message
}
