/** How much one principal may ask of tools: calls in a minute, and calls under way at once. */
import type { Clock } from '../../actors/ports.ts'
import type { Limits } from '../limits.ts'
import { type Budget, RateLimit, RateLimited } from '../rateLimit.ts'

const retryMs = 1_000

export class ToolRates {
  readonly #perMinute: RateLimit
  readonly #atOnce: number
  readonly #underWay = new Map<string, number>()

  constructor(clock: Clock, limits: Limits) {
    this.#perMinute = new RateLimit(clock, limits.toolCallsPerMinute, 60_000)
    this.#atOnce = limits.toolCallsAtOnce
  }

  /** @returns what is left of this minute, and what ends the call. @throws RateLimited */
  begin(principal: string): { readonly budget: Budget; end(): void } {
    const underWay = this.#underWay.get(principal) ?? 0
    if (underWay >= this.#atOnce) {
      const budget = { limit: this.#atOnce, remaining: 0, resetMs: retryMs }
      throw new RateLimited(`Too many calls at once: at most ${this.#atOnce}. Wait for one to end.`, budget)
    }
    const budget = this.#perMinute.take(principal, 1, 'tool calls')
    this.#underWay.set(principal, underWay + 1)
    return { budget, end: () => this.#ended(principal) }
  }

  #ended(principal: string): void {
    const underWay = (this.#underWay.get(principal) ?? 1) - 1
    if (underWay > 0) this.#underWay.set(principal, underWay)
    else this.#underWay.delete(principal)
  }
}
