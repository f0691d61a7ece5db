import type { PendingEffect } from '../../spec/core/actor.ts'

/** An effect that this program cannot read: its actor is of an unknown kind, or its parameters are no JSON. */
export interface UnreadableEffect {
  readonly id: string
  readonly type: string
  readonly attempts: number
  /** Why. */
  readonly unreadable: string
}

/** Milliseconds without a beat after which a process counts as dead. */
export const silentMs = 3_000

/** Effects that were decided and are not confirmed. Rows are born claimed by the process that committed them. */
export interface Outbox {
  /**
   * Says that this process lives; to be called every second. What a process had claimed that has been silent for `silentMs` is
   * free from now on, and so is what it commits after it was found dead and does not live to beat again. One that was only slow
   * loses its claims: what it is at work on may be begun a second time.
   */
  beat(owner: string, now: number): Promise<void>
  /**
   * Claims up to `limit` rows that are due and whose claim has run out, for `forMs`; rows that another process is claiming are
   * passed over. What a dead process left is found by this. Failed rows are not returned.
   *
   * A claim is the beginning of an attempt and counts it, so that an attempt which ends its process counts too; effects are born
   * with the first one counted. What the owner has claimed already is being attempted still, and not counted again.
   */
  claim(
    owner: string,
    now: number,
    forMs: number,
    limit: number,
  ): Promise<readonly (PendingEffect | UnreadableEffect)[]>
  /** The effect is to be tried again at `due`, after `attempts`. Nothing changes where another process has claimed it meanwhile. */
  retry(
    id: string,
    owner: string,
    next: { readonly attempts: number; readonly due: number; readonly problem: string },
  ): Promise<void>
  /**
   * Its attempts are spent. The row stays until an operator retries it or gives it up (`Write.decides`). Answers whether it has
   * failed by this: it has not where it was answered, or where another process has claimed it meanwhile.
   */
  fail(id: string, owner: string, problem: string): Promise<boolean>
  /** Failed effects of whose failure their actors are not known to have been told, oldest first, of the kinds that the program knows. */
  untold(limit: number): Promise<readonly Omit<PendingEffect, 'params'>[]>
  /** The actor knows that its effect has failed, or can't be told any more. */
  told(id: string): Promise<void>
  /** Removes the rows, but those that have failed. Idempotent. */
  done(ids: readonly string[]): Promise<void>
}
