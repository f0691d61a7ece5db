/** The parts of the commit statement that a batch needs. */
export interface Shape {
  /** A batch of one transition needs no lists. It takes a tenth less time. */
  readonly single: boolean
  /** The kind of all its actors; undefined if the kinds differ. */
  readonly kind: string | undefined
  readonly creates: boolean
  readonly updates: boolean
  /** Whether any transition has a `uniqueKey` or an `otherKey`. */
  readonly keys: boolean
  /** Whether transitions answer effects or decide on them. */
  readonly consumes: boolean
  /** Whether operators decide on effects that have failed. */
  readonly decides: boolean
  readonly idempotency: boolean
  readonly effects: boolean
  readonly members: boolean
  /** Whether search documents are written. */
  readonly documents: boolean
  /** Whether runs start or end, so that their measurements are written. */
  readonly measurements: boolean
  /** Whether effects are completed without a transition. */
  readonly done: boolean
}
