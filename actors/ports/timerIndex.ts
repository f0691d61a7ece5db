import type { ActorRef } from '../../spec/core/actor.ts'
import type { ActorKind } from '../../spec/core/ids.ts'

/** Timers at rest are in snapshots; this finds those that are due, whoever set them. */
export interface TimerIndex {
  /**
   * Actors of these kinds whose `nextDue` is `now` or before, the earliest first: each that has a due timer, and some that have none.
   * The kinds are those that the caller has machines for: it could not advance others, and a page of them would hide its own.
   */
  due(
    now: number,
    limit: number,
    kinds: readonly ActorKind[],
  ): Promise<readonly { readonly ref: ActorRef; readonly due: number }[]>
  /** Sets `nextDue` of actors of which nothing was due at `now`, where they still stand at `seq`. Repeated, it changes nothing. */
  rearm(looks: readonly Look[], now: number): Promise<void>
}

export interface Look {
  readonly ref: ActorRef
  readonly seq: number
  readonly nextDue: number | undefined
}
