import type { AnyPendingEffect } from '../anyKind.ts'

/** An effect that this program cannot read. Its actor has an unknown kind, or its parameters are not valid JSON. */
export interface UnreadableEffect {
  readonly id: string
  readonly type: string
  readonly attempts: number
  readonly failures: number
  /** The reason. */
  readonly unreadable: string
}

export interface NextAttempt {
  readonly attempts: number
  readonly failures: number
  readonly due: number
  readonly problem: string
}

/** Milliseconds without a heartbeat after which the claims of a process expire. */
export const silentMs = 3_000

/** Effects that were decided and are not confirmed. The process that commits a row claims it in the same commit. */
export interface Outbox {
  /**
   * Records a heartbeat of this process. Call it every second.
   *
   * The claims of processes whose last heartbeat is older than `silentMs` expire at this call. Rows that such a process commits later are
   * free too, unless it sends a heartbeat again. A process that was only slow also loses its claims: an attempt in flight may be started a
   * second time.
   */
  beat(owner: string, now: number): Promise<void>
  /**
   * Claims for `forMs` up to `limit` rows that are due and whose claim has expired. Rows that another process is claiming at the same time
   * are skipped. This also finds the rows that a dead process left. Failed rows are not returned.
   *
   * A claim is the start of an attempt and counts it, so that an attempt which ends its process is counted too. A new effect has its first
   * attempt counted already. If the owner already has the claim, the attempt is still in flight and is not counted again.
   */
  claim(
    owner: string,
    now: number,
    forMs: number,
    limit: number,
  ): Promise<readonly (AnyPendingEffect | UnreadableEffect)[]>
  /**
   * Schedules the next attempt at `due`, after `attempts` of which `failures` failed. Changes nothing if another process has claimed the
   * effect in the meantime.
   */
  retry(id: string, owner: string, next: NextAttempt): Promise<void>
  /**
   * Marks the effect as failed because its attempts are exhausted. The row stays until an operator retries it or gives it up
   * (`Write.decides`). Returns true if this call marked it. Returns false if the effect was answered, or if another process has claimed it
   * in the meantime.
   */
  fail(id: string, owner: string, problem: string): Promise<boolean>
  /**
   * Failed effects whose failure is not marked as reported to their actors, oldest first. Only of kinds that this program has machines for.
   */
  unreported(limit: number): Promise<readonly Omit<AnyPendingEffect, 'params'>[]>
  /** Marks the failure as reported: the actor received it, or cannot receive it any more. */
  markReported(id: string): Promise<void>
  /** Removes the rows, except those that have failed. Idempotent. */
  done(ids: readonly string[]): Promise<void>
}
