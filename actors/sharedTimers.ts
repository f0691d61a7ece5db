/**
 * Many short waits that nearly always end early. One timer for each would cost more than the rest of an ask. All waits that are due within
 * the same 50 ms share one timer. So a wait ends up to 50 ms late and never early.
 */
import type { Clock } from './ports/clock.ts'

const resolutionMs = 50

interface Wait {
  expired: (() => void) | undefined
}

export class SharedTimers {
  readonly #clock: Clock
  readonly #buckets = new Map<number, Wait[]>()

  constructor(clock: Clock) {
    this.#clock = clock
  }

  /** Calls `expired` once after `ms`, unless the caller has called the returned cancellation before. */
  after(ms: number, expired: () => void): () => void {
    const wait: Wait = { expired }
    const now = this.#clock.monotonic()
    const due = Math.ceil((now + ms) / resolutionMs) * resolutionMs
    const bucket = this.#buckets.get(due)
    if (bucket !== undefined) bucket.push(wait)
    else {
      this.#buckets.set(due, [wait])
      this.#clock.after(due - now, () => this.#expire(due))
    }
    return () => {
      wait.expired = undefined
    }
  }

  #expire(due: number): void {
    const bucket = this.#buckets.get(due) ?? []
    this.#buckets.delete(due)
    for (const { expired } of bucket) expired?.()
  }
}
