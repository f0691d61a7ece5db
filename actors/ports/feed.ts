import type { ActorRef, ActorRow, JournalEntry, StreamEntry } from '../../spec/core/actor.ts'
import type { ActorKind } from '../../spec/core/ids.ts'

/**
 * A committed transition. The feed sends it to the listeners in this process, and a hint of it to other processes. It is never the source
 * of truth: storage is.
 */
export interface FeedItem {
  readonly ref: ActorRef
  readonly seq: number
  /** Present if this process committed the transition. */
  readonly row?: ActorRow
  readonly step?: JournalEntry
}

export interface StreamItem {
  readonly stream: string
  /** Present if this process wrote the entries. Otherwise the item is only a hint that there are more. */
  readonly entries?: readonly StreamEntry[]
  readonly ended: boolean
}

export interface Feed {
  publish(items: readonly FeedItem[]): void
  publishStream(item: StreamItem): void
  /**
   * Calls the listener with items in the order in which this process received them. The listener must not throw and must not wait. Returns
   * a function that ends it.
   */
  onActor(id: string, listener: (item: FeedItem) => void): () => void
  onKind(kind: ActorKind, listener: (item: FeedItem) => void): () => void
  onStream(stream: string, listener: (item: StreamItem) => void): () => void
  /**
   * Calls the listener if hints of other processes may have been missed. A listener that follows an actor must then read it from storage.
   * Returns a function that ends it.
   */
  onGap(listener: () => void): () => void
  /**
   * A time on the monotonic clock. Each commit of any process before this time was published here, or `onGap` was called after it. It is
   * normally less than half a second old. It does not advance while another process or the connection is silent.
   */
  confirmedUntil(): number
}
