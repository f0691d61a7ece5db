import type { TransitionFeed, TransitionItem } from '../../actors/ports/feed.ts'
import type { StreamEntry } from '../../spec/core/actor.ts'
import type { ActorKind } from '../../spec/core/kinds.ts'

export type FeedItem = TransitionItem<ActorKind>

export interface StreamItem {
  readonly stream: string
  /** Present if this process wrote the entries. Otherwise the item is only a hint that there are more. */
  readonly entries?: readonly StreamEntry[]
  readonly ended: boolean
}

/** Hints about committed transitions and entries of streams. Listeners are called as those of `TransitionFeed` are. */
export interface Feed extends TransitionFeed {
  publishStream(item: StreamItem): void
  onActor(id: string, listener: (item: FeedItem) => void): () => void
  onKind(kind: ActorKind, listener: (item: FeedItem) => void): () => void
  onStream(stream: string, listener: (item: StreamItem) => void): () => void
  /**
   * A time on the monotonic clock. Each commit of any process before this time was published here, or `onGap` was called after it. It is
   * normally less than half a second old. It does not advance while another process or the connection is silent.
   */
  confirmedUntil(): number
}
