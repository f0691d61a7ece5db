import type * as v from 'valibot'
import { Failure } from '../../../spec/core/failure.ts'
import type { headersToRemove, headersToSet } from '../../../spec/tools/mcpServerHeaders.ts'

interface HeaderInput {
  readonly set?: v.InferOutput<typeof headersToSet>
  readonly remove?: v.InferOutput<typeof headersToRemove>
}

/**
 * The changes by header name in lower case.
 * @throws Failure BAD_USER_INPUT if there is no change, or if a name is given twice
 */
export function readHeaderChanges({ set, remove }: HeaderInput): {
  readonly set: ReadonlyMap<string, string>
  readonly remove: readonly string[]
} {
  const values = new Map((set ?? []).map((header) => [header.name.toLowerCase(), header.value]))
  const removed = (remove ?? []).map((given) => given.toLowerCase())
  if (values.size + removed.length === 0) throw invalidInput('set', 'or remove must name a header')
  if (values.size < (set ?? []).length)
    throw invalidInput('set', 'must not name a header twice (names are compared without case)')
  if (removed.some((given) => values.has(given)))
    throw invalidInput('remove', 'must not name a header that is also in set')
  return { set: values, remove: removed }
}

function invalidInput(field: string, problem: string): Failure {
  return new Failure('BAD_USER_INPUT', `${field} ${problem}.`, { details: { field, problem } })
}
