import { LocalFeed } from '../../../../storage/feed/localFeed.ts'
import type { FeedItem, StreamItem } from '../../../../storage/ports/feed.ts'
import type { MemoryState } from './state.ts'

/** Notifies the storages that share the state, in the same way as one process notifies another: without rows, and a little later. */
export class MemoryFeed extends LocalFeed {
  readonly #state: MemoryState

  constructor(state: MemoryState, problem: (error: unknown) => void) {
    super(problem)
    this.#state = state
    state.feeds.add(this)
  }

  override publish(items: readonly FeedItem[]): void {
    super.publish(items)
    const hints = items.map(({ ref, seq }) => ({ ref, seq }))
    for (const feed of this.#state.feeds) if (feed !== this) setImmediate(() => feed.hint(hints, []))
  }

  override publishStream(item: StreamItem): void {
    super.publishStream(item)
    const hint = { stream: item.stream, ended: item.ended }
    for (const feed of this.#state.feeds) if (feed !== this) setImmediate(() => feed.hint([], [hint]))
  }

  hint(items: readonly FeedItem[], streams: readonly StreamItem[]): void {
    if (!this.#state.feeds.has(this)) return
    super.publish(items)
    for (const item of streams) super.publishStream(item)
  }

  close(): void {
    this.#state.feeds.delete(this)
  }
}
