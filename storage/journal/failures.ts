import { CommitFailed, CommitUncertain } from '../../actors/ports.ts'

/** PostgreSQL's own answer that a statement failed. */
export interface ServerError extends Error {
  readonly code: string
  readonly constraint_name?: string
}

export function isServerError(error: unknown): error is ServerError {
  return error instanceof Error && error.name === 'PostgresError'
}

/** Nothing is wrong with the batch itself: conflicts with others, time-outs, a server that is going down or is full. */
const repeatable = /^(40001|40P01|55P03|57014|57P0\d|53\d\d\d|25006)$/

/** What a failed commit means. An error that is not the server's answer leaves the outcome open. */
export function commitError(error: unknown): CommitFailed | CommitUncertain {
  if (error instanceof CommitFailed) return error
  const cause = { cause: error }
  if (!isServerError(error)) {
    return new CommitUncertain('The connection to PostgreSQL broke before the commit was answered.', cause)
  }
  const constraint = error.constraint_name
  if (constraint === undefined) {
    const kind = repeatable.test(error.code) ? 'repeatable' : 'invalid'
    return new CommitFailed(`The commit failed: ${error.message}`, kind, cause)
  }
  // Two first uses of one key at once: repeated, the later one finds the key and is lost as `idempotency`.
  if (constraint === 'idempotency_pkey')
    return new CommitFailed(`The commit violates ${constraint}.`, 'repeatable', cause)
  return new CommitFailed(`The commit violates ${constraint}.`, error.code === '23505' ? 'unique' : 'invalid', cause)
}
