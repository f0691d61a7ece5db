import type { ActorRef, ActorRow, JournalEntry, StreamEntry } from '../../spec/core/actor.ts'
import type { ActorKind } from '../../spec/core/ids.ts'

/** What became durable, told to whoever listens in this process, and as a hint to other processes. Never the truth itself. */
export interface FeedItem {
  readonly ref: ActorRef
  readonly seq: number
  /** Present where this process made the step. */
  readonly row?: ActorRow
  readonly step?: JournalEntry
}

export interface StreamItem {
  readonly stream: string
  /** Present where this process wrote them; otherwise only the hint that there is more. */
  readonly entries?: readonly StreamEntry[]
  readonly ended: boolean
}

export interface Feed {
  publish(items: readonly FeedItem[]): void
  publishStream(item: StreamItem): void
  /** Items in the order in which this process learned of them. The listener must not throw and must not wait. Returns the end. */
  onActor(id: string, listener: (item: FeedItem) => void): () => void
  onKind(kind: ActorKind, listener: (item: FeedItem) => void): () => void
  onStream(stream: string, listener: (item: StreamItem) => void): () => void
  /** Called when hints of other processes may have been missed: who follows something looks at what is stored. Returns the end. */
  onGap(listener: () => void): () => void
  /**
   * A time on the monotonic clock. What any process committed before it has been announced here, or `onGap` was called since.
   * It is normally less than half a second old. It does not advance while another process or the connection is silent.
   */
  confirmedUntil(): number
}
