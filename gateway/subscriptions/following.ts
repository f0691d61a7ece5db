/** What the ways of following share. */
import { Failure } from '../../spec/core/failure.ts'
import type { TopicItem } from '../operations/handler.ts'

export interface FollowSink {
  /** `stored`: the follower reads pages, and waits where a promise is returned. Live items can't wait. */
  item(item: TopicItem, stored: boolean): void | Promise<void>
  end(): void
  fail(error: unknown): void
}

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
