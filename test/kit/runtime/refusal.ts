import assert from 'node:assert/strict'
import { Failure } from '../../../spec/core/failure.ts'

/** The refusal that an operation ends in. */
export async function refusal(asked: Promise<unknown>): Promise<Failure> {
  const problem = await asked.then(
    () => assert.fail('it was granted'),
    (error: unknown) => error,
  )
  if (problem instanceof Failure) return problem
  throw problem
}
