import { CommitFailed, CommitUncertain } from '../../actors/ports/journal.ts'
import { isServerError } from '../connections/errors.ts'

/** Errors that the batch did not cause: conflicts with other transactions, timeouts, a server that is full or does not accept writes. */
const repeatable = /^(40001|40P01|55P03|57014|53\d\d\d|58\d\d\d|25006)$/

/** The server ended the session. Whether the commit succeeded must be read from the database. */
const ended = /^(57P0\d|08...)$/

/** While another release of the program is registered, the commit statement writes null as the transaction of a journal row. */
export function isOfAnotherRelease(error: unknown): boolean {
  return isServerError(error) && error.code === '23502' && error.column_name === 'tx'
}

/** Converts the error of a commit. If it is not an answer of the server, the outcome is uncertain. */
export function commitError(error: unknown): CommitFailed | CommitUncertain {
  if (error instanceof CommitFailed) return error
  const cause = { cause: error }
  if (error instanceof TypeError)
    return new CommitFailed(`The commit can't be sent: ${error.message}`, 'invalid', cause)
  if (!isServerError(error) || ended.test(error.code)) {
    return new CommitUncertain('The connection to PostgreSQL broke before the commit was answered.', cause)
  }
  // The journal also reports this with `superseded`, and the process ends. So callers that wait for the commit get no wrong answer.
  if (isOfAnotherRelease(error)) {
    return new CommitFailed('Another version of Signalbox works on this database.', 'repeatable', cause)
  }
  const constraint = error.constraint_name
  if (constraint === undefined) {
    const kind = repeatable.test(error.code) ? 'repeatable' : 'invalid'
    return new CommitFailed(`The commit failed: ${error.message}`, kind, cause)
  }
  // Two concurrent first uses of one key. The repeat of the later one finds the key, and is lost with the reason `idempotency` (`LostReason`).
  if (constraint === 'idempotency_pkey')
    return new CommitFailed(`The commit violates ${constraint}.`, 'repeatable', cause)
  return new CommitFailed(`The commit violates ${constraint}.`, error.code === '23505' ? 'unique' : 'invalid', cause)
}
