import type { ActorRef, Feed, FeedItem, StreamItem } from '../../actors/ports.ts'
import type { ActorKind } from '../../spec/ids.ts'

/** Who listens in this process, and the telling of them. */
export class LocalFeed implements Feed {
  readonly #actors = new Listeners<string, FeedItem>()
  readonly #kinds = new Listeners<ActorKind, FeedItem>()
  readonly #streams = new Listeners<string, StreamItem>()
  readonly #gaps = new Listeners<'gap', undefined>()

  publish(items: readonly FeedItem[]): void {
    for (const item of items) {
      this.#actors.tell(item.ref.id, item)
      this.#kinds.tell(item.ref.kind, item)
    }
  }

  publishStream(item: StreamItem): void {
    this.#streams.tell(item.stream, item)
  }

  gap(): void {
    this.#gaps.tell('gap', undefined)
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
}

class Listeners<K, T> {
  readonly #byKey = new Map<K, Set<(item: T) => void>>()

  add(key: K, listener: (item: T) => void): () => void {
    // A function of its own, so that one listener can be added twice and removed once.
    const own = (item: T): void => listener(item)
    const all = this.#byKey.get(key) ?? new Set()
    all.add(own)
    this.#byKey.set(key, all)
    return () => {
      all.delete(own)
      if (all.size === 0 && this.#byKey.get(key) === all) this.#byKey.delete(key)
    }
  }

  tell(key: K, item: T): void {
    for (const listener of this.#byKey.get(key) ?? []) listener(item)
  }
}
