import type { ActorKind } from '../../spec/core/ids.ts'

export interface Clock {
  /** Milliseconds since 1970, by the database: for what is stored, shown, or due at a time of day. It jumps if its clock is set. */
  now(): number
  /** Milliseconds since some start, for durations: never set, and never goes back. It may stand still while the machine sleeps. */
  monotonic(): number
  /** Calls back once after `ms`; returns the cancellation. Does not keep the process alive. */
  after(ms: number, callback: () => void): () => void
}

export interface Ids {
  next(kind: ActorKind): string
}
