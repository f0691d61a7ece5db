import type * as v from 'valibot'

/** The text about one wrong field. Valibot's own text for a missing or unknown field is about keys and types. */
export function problemOf({ path, type, expected, received, message }: v.BaseIssue<unknown>): string {
  if (path === undefined || (type !== 'object' && type !== 'strict_object')) return message
  if (expected === 'never') return 'is not a field of this request'
  return received === 'undefined' ? 'must be given' : message
}
