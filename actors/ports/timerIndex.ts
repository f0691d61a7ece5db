import type { AnyActorRef } from '../anyKind.ts'

/** Finds actors with due timers, whichever process set them. The timers themselves are stored in snapshots. */
export interface TimerIndex {
  /**
   * Actors of these kinds whose `nextDue` is `now` or before, the earliest first. The result has every actor with a due timer, and some
   * actors without one. Pass only kinds that the caller has machines for. It cannot advance others, and a page of those would hide its own.
   */
  due(
    now: number,
    limit: number,
    kinds: readonly string[],
  ): Promise<readonly { readonly ref: AnyActorRef; readonly due: number }[]>
  /** Sets `nextDue` of actors that had no due timer at `now`, if they still have the sequence `seq`. Repeating the call changes nothing. */
  rearm(checks: readonly TimerCheck[], now: number): Promise<void>
}

export interface TimerCheck {
  readonly ref: AnyActorRef
  readonly seq: number
  readonly nextDue: number | undefined
}
