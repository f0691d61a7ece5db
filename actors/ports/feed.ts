import type { ActorRef, ActorRow, JournalEntry } from '../../spec/core/actor.ts'

/**
 * A committed transition. The feed sends it to the listeners in this process, and a hint of it to other processes. It is never the source
 * of truth: storage is.
 */
export interface TransitionItem<K extends string = string> {
  readonly ref: ActorRef<K>
  readonly seq: number
  /** Present if this process committed the transition. */
  readonly row?: ActorRow<K>
  readonly transition?: JournalEntry<K>
}

/** The part of the feed that the runtime uses. `storage/ports/feed.ts` has the whole feed. */
export interface TransitionFeed {
  publish(items: readonly TransitionItem[]): void
  /**
   * Calls the listener with items in the order in which this process received them. The listener must not throw and must not wait. Returns
   * a function that ends it.
   */
  onKind(kind: string, listener: (item: TransitionItem) => void): () => void
  /**
   * Calls the listener if hints of other processes may have been missed. A listener that follows an actor must then read it from storage.
   * Returns a function that ends it.
   */
  onGap(listener: () => void): () => void
}
