import type { ActorKind } from '../../spec/core/ids.ts'

/** What a batch consists of. */
export interface Shape {
  /** One step alone, which needs no lists: a tenth less time for what waits for nobody else. */
  readonly single: boolean
  /** Where all its actors are of one kind. */
  readonly kind: ActorKind | undefined
  readonly creates: boolean
  readonly updates: boolean
  /** Any `uniqueKey` or `otherKey`. */
  readonly keys: boolean
  /** Steps that answer effects, or decide on them. */
  readonly consumes: boolean
  /** What becomes of effects that have failed. */
  readonly decides: boolean
  readonly idempotency: boolean
  readonly effects: boolean
  readonly members: boolean
  /** What actors are found by. */
  readonly documents: boolean
  /** Effects done without a step. */
  readonly done: boolean
}
