/** Limits the tool calls of a principal: calls in a minute, and calls in flight. */
import type { Clock } from '../../../actors/ports/clock.ts'
import type { Limits } from '../../limits/limits.ts'
import { type RateBudget, RateLimited, RateLimiter } from '../../limits/rateLimiter.ts'
import { ratePolicies } from '../../limits/ratePolicies.ts'

const retryMs = 1_000

export class ToolRates {
  /** The most calls in one request. More calls could never be in flight at once. */
  readonly largestBatch: number
  readonly #perMinute: RateLimiter
  readonly #atOnce: number
  readonly #inFlight = new Map<string, number>()

  constructor(clock: Clock, limits: Limits) {
    this.#perMinute = new RateLimiter(clock, ratePolicies(limits).toolCalls)
    this.#atOnce = limits.toolCallsAtOnce
    this.largestBatch = Math.min(limits.toolCallsAtOnce, limits.toolCallsPerMinute)
  }

  /** Counts all `count` calls or none. @returns the rest of this minute's budget, and a function that ends the calls @throws RateLimited */
  begin(principal: string, count = 1): { readonly budget: RateBudget; end(): void } {
    const inFlight = this.#inFlight.get(principal) ?? 0
    if (inFlight + count > this.#atOnce) {
      const budget = { limit: this.#atOnce, remaining: Math.max(0, this.#atOnce - inFlight), resetMs: retryMs }
      throw new RateLimited(
        `Too many calls are in flight: at most ${this.#atOnce} are allowed. Wait until one ends.`,
        budget,
      )
    }
    const budget = this.#perMinute.take(principal, count)
    this.#inFlight.set(principal, inFlight + count)
    return { budget, end: () => this.#ended(principal, count) }
  }

  #ended(principal: string, count: number): void {
    const inFlight = (this.#inFlight.get(principal) ?? 0) - count
    if (inFlight > 0) this.#inFlight.set(principal, inFlight)
    else this.#inFlight.delete(principal)
  }
}
