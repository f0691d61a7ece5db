import type { ActorRef } from '../../spec/core/actor.ts'
import type { ActorKind } from '../../spec/core/ids.ts'
import type { Feed, FeedItem, StreamItem } from '../ports/feed.ts'

/**
 * The listeners in this process. A listener must not throw. If one does, the error is reported. The other listeners are still
 * called, and the publisher does not fail, since published items are durable.
 */
export class LocalFeed implements Feed {
  readonly #actors: Listeners<string, FeedItem>
  readonly #kinds: Listeners<ActorKind, FeedItem>
  readonly #streams: Listeners<string, StreamItem>
  readonly #gaps: Listeners<'gap', undefined>

  constructor(problem: (error: unknown) => void) {
    this.#actors = new Listeners(problem)
    this.#kinds = new Listeners(problem)
    this.#streams = new Listeners(problem)
    this.#gaps = new Listeners(problem)
  }

  publish(items: readonly FeedItem[]): void {
    for (const item of items) {
      this.#actors.callAll(item.ref.id, item)
      this.#kinds.callAll(item.ref.kind, item)
    }
  }

  publishStream(item: StreamItem): void {
    this.#streams.callAll(item.stream, item)
  }

  gap(): void {
    this.#gaps.callAll('gap', undefined)
  }

  onActor(id: ActorRef['id'], listener: (item: FeedItem) => void): () => void {
    return this.#actors.add(id, listener)
  }

  onKind(kind: ActorKind, listener: (item: FeedItem) => void): () => void {
    return this.#kinds.add(kind, listener)
  }

  onStream(stream: string, listener: (item: StreamItem) => void): () => void {
    return this.#streams.add(stream, listener)
  }

  onGap(listener: () => void): () => void {
    return this.#gaps.add('gap', listener)
  }

  /** If there is no other process, every commit is published here, and nothing remains to be confirmed. `PostgresFeed` has its own. */
  confirmedUntil(): number {
    return Number.POSITIVE_INFINITY
  }
}

class Listeners<K, T> {
  readonly #problem: (error: unknown) => void
  readonly #byKey = new Map<K, Set<(item: T) => void>>()

  constructor(problem: (error: unknown) => void) {
    this.#problem = problem
  }

  add(key: K, listener: (item: T) => void): () => void {
    // Each addition has a function of its own: if a listener is added twice, the removal of one leaves the other.
    const own = (item: T): void => listener(item)
    const all = this.#byKey.get(key) ?? new Set()
    all.add(own)
    this.#byKey.set(key, all)
    return () => {
      all.delete(own)
      if (all.size === 0 && this.#byKey.get(key) === all) this.#byKey.delete(key)
    }
  }

  callAll(key: K, item: T): void {
    for (const listener of this.#byKey.get(key) ?? []) {
      try {
        listener(item)
      } catch (error) {
        this.#problem(error)
      }
    }
  }
}
