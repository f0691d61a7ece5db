/** The parts that all ways of following share. */
import { Failure } from '../../spec/core/failure.ts'
import type { TopicItem } from '../operations/handler.ts'

export interface FollowSink {
  /** If `stored` is true, the follower reads pages and awaits a returned promise. It does not wait for live items. */
  item(item: TopicItem, stored: boolean): void | Promise<void>
  end(): void
  fail(error: unknown): void
}

/**
 * The failure of a follower of items without a sequence after a gap of the feed, for example while the database is unavailable. Such items
 * cannot be read later, so the client must subscribe again.
 */
export function missed(): Failure {
  return new Failure('UNAVAILABLE', 'Changes may have been missed; subscribe again.', { retryAfterMs: 500 })
}

export function both(one: () => void, other: () => void): () => void {
  return () => {
    one()
    other()
  }
}
