/** Counters in fixed windows, bounded in number: the oldest are removed first. */
import { LRUCache } from 'lru-cache'
import type { Clock } from '../../actors/ports/clock.ts'
import { Failure } from '../../spec/core/failure.ts'

interface Window {
  used: number
  /** On the monotonic clock. */
  readonly ends: number
}

export interface Budget {
  readonly limit: number
  readonly remaining: number
  /** Milliseconds until the window ends. */
  readonly resetMs: number
}

/** A rate or a quota is used up: the answer has the limit and the waiting time. */
export class RateLimited extends Failure {
  readonly budget: Budget

  constructor(message: string, budget: Budget) {
    super('RATE_LIMITED', message, { retryAfterMs: Math.max(1, budget.resetMs) })
    this.budget = budget
  }
}

export class RateLimit {
  readonly #windows: LRUCache<string, Window>
  readonly #clock: Clock
  readonly limit: number
  readonly windowMs: number

  constructor(clock: Clock, limit: number, windowMs: number, keys = 100_000) {
    this.#clock = clock
    this.limit = limit
    this.windowMs = windowMs
    // As a size, not as `max`, which would take the memory for all of them at once.
    this.#windows = new LRUCache({ maxSize: keys, sizeCalculation: () => 1 })
  }

  #window(key: string): Window {
    const now = this.#clock.monotonic()
    const known = this.#windows.get(key)
    if (known && known.ends > now) return known
    const fresh = { used: 0, ends: now + this.windowMs }
    this.#windows.set(key, fresh)
    return fresh
  }

  /** Counts without refusing. */
  add(key: string, amount = 1): void {
    this.#window(key).used += amount
  }

  spent(key: string): boolean {
    const window = this.#windows.get(key)
    return window !== undefined && window.ends > this.#clock.monotonic() && window.used >= this.limit
  }

  budget(key: string): Budget {
    const window = this.#window(key)
    return {
      limit: this.limit,
      remaining: Math.max(0, this.limit - window.used),
      resetMs: Math.max(0, window.ends - this.#clock.monotonic()),
    }
  }

  /** Takes `amount` of the budget. @throws Failure RATE_LIMITED if less is left */
  take(key: string, amount: number, what: string): Budget {
    const window = this.#window(key)
    if (window.used + amount > this.limit) throw this.refusal(key, what)
    window.used += amount
    return this.budget(key)
  }

  refusal(key: string, what: string): Failure {
    return new RateLimited(`Too many ${what}: at most ${this.limit} in ${this.windowMs / 1000} s.`, this.budget(key))
  }
}

/** Headers of the IETF draft that clients know: limit, what is left, seconds to the reset. */
export function rateLimitHeaders(budget: Budget): Record<string, string> {
  return {
    'ratelimit-limit': String(budget.limit),
    'ratelimit-remaining': String(budget.remaining),
    'ratelimit-reset': String(Math.ceil(budget.resetMs / 1000)),
  }
}
