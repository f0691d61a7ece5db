/** The two clocks of the program. docs/internals/runtime.md lists which one decides what. */
export interface Clock {
  /**
   * Milliseconds since 1970, by the database's clock. Use it for times that are stored or shown, and for deadlines. It jumps if that clock
   * is set.
   */
  now(): number
  /** Milliseconds since an arbitrary start, for durations. It is never set and never goes back. It may pause while the machine sleeps. */
  monotonic(): number
  /** Calls `callback` once after `ms`. Returns a function that cancels the call. The wait does not keep the process running. */
  after(ms: number, callback: () => void): () => void
}
