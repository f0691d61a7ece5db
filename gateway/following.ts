/** What the ways of following share. */
import { Failure } from '../spec/failure.ts'

/** What has no sequence of its own can't be caught up: whoever follows it is told, and begins again. */
export function missed(): Failure {
  return new Failure('UNAVAILABLE', 'Changes may have been missed; subscribe again.', { retryAfterMs: 500 })
}

export function both(one: () => void, other: () => void): () => void {
  return () => {
    one()
    other()
  }
}
