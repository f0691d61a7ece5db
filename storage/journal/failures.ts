import { CommitFailed, CommitUncertain } from '../../actors/ports/journal.ts'
import { isServerError } from '../connections/errors.ts'

/** Nothing is wrong with the batch itself: conflicts with others, time-outs, a server that is full or does not accept writes. */
const repeatable = /^(40001|40P01|55P03|57014|53\d\d\d|58\d\d\d|25006)$/

/** The server ended the session. Whether it had committed before is read, not concluded. */
const ended = /^(57P0\d|08...)$/

/** The commit statement gives a journal row no transaction while another release of the program is registered. */
export function isOfAnotherRelease(error: unknown): boolean {
  return isServerError(error) && error.code === '23502' && error.column_name === 'tx'
}

/** What a failed commit means. An error that is not the server's answer leaves the outcome open. */
export function commitError(error: unknown): CommitFailed | CommitUncertain {
  if (error instanceof CommitFailed) return error
  const cause = { cause: error }
  if (error instanceof TypeError)
    return new CommitFailed(`The commit can't be sent: ${error.message}`, 'invalid', cause)
  if (!isServerError(error) || ended.test(error.code)) {
    return new CommitUncertain('The connection to PostgreSQL broke before the commit was answered.', cause)
  }
  // Whoever waits for it is not told anything wrong: this process ends.
  if (isOfAnotherRelease(error)) {
    return new CommitFailed('Another version of Signalbox works on this database.', 'repeatable', cause)
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
