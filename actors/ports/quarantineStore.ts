import type { ActorRef } from '../../spec/core/actor.ts'

/** An actor that a process could not go on with. */
export interface QuarantinedActor {
  readonly ref: ActorRef
  /** The state that it failed on: the entry holds while the actor stands at this sequence. */
  readonly seq: number
  readonly problem: string
  /** Milliseconds since 1970: when it failed first on this state, and when it is tried again. */
  readonly since: number
  readonly retryAt: number
  readonly attempts: number
}

/** Actors in quarantine, stored so that every process and the next one shows them. */
export interface QuarantineStore {
  /**
   * Stores or renews the entries, and moves the time at which the timers of their actors are found (`nextDue`) to `retryAt`, where
   * they still stand at `seq`. At most one entry of an actor. `since` of an entry with the same `seq` stays.
   */
  put(entries: readonly QuarantinedActor[]): Promise<void>
  /** Idempotent. */
  release(ids: readonly string[]): Promise<void>
  /** Entries whose actors still stand at `seq`, the oldest first. */
  list(limit: number): Promise<readonly QuarantinedActor[]>
}
