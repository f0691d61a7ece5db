import type { AnyActorRef } from '../anyKind.ts'

/** An actor that a process could not process. */
export interface QuarantinedActor {
  readonly ref: AnyActorRef
  /** The sequence at which the actor failed. The entry is valid while the actor has this sequence. */
  readonly seq: number
  readonly problem: string
  /** Milliseconds since 1970. `since` is the first failure at this sequence, `retryAt` is the next attempt. */
  readonly since: number
  readonly retryAt: number
  readonly attempts: number
}

/** Actors in quarantine. They are stored so that every process, also a later one, shows them. */
export interface QuarantineStore {
  /**
   * Stores or renews the entries. For actors that still have the sequence `seq`, it sets the time at which their timers are found
   * (`nextDue`) to `retryAt`. There is at most one entry of an actor. `since` of an entry with the same `seq` does not change.
   */
  put(entries: readonly QuarantinedActor[]): Promise<void>
  /** Idempotent. */
  release(ids: readonly string[]): Promise<void>
  /** Entries whose actors still have the sequence `seq`, oldest first. */
  list(limit: number): Promise<readonly QuarantinedActor[]>
}
