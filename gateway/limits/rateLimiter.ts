/** Limits how much each key may do in a window of time. The windows are fixed: each begins with the first use after the last one ended. */
import { LRUCache } from 'lru-cache'
import type { Clock } from '../../actors/ports/clock.ts'
import { Failure } from '../../spec/core/failure.ts'

export interface RatePolicy {
  /** The most that a key may use in one window. */
  readonly limit: number
  readonly windowMs: number
  /** The name of what is counted, as it follows "Too many". */
  readonly of: string
}

interface Window {
  used: number
  /** On the monotonic clock. */
  readonly endsAt: number
}

export interface RateBudget {
  readonly limit: number
  readonly remaining: number
  /** Milliseconds until the window ends. */
  readonly resetMs: number
}

/** A rate or a quota is used up: the answer has the limit and the waiting time. */
export class RateLimited extends Failure {
  readonly budget: RateBudget

  constructor(message: string, budget: RateBudget) {
    super('RATE_LIMITED', message, { retryAfterMs: Math.max(1, budget.resetMs) })
    this.budget = budget
  }
}

export class RateLimiter {
  readonly #windows: LRUCache<string, Window>
  readonly #clock: Clock
  readonly #policy: RatePolicy

  /** @param keys the number of keys that it remembers: beyond it, the key that was used least recently begins a new window */
  constructor(clock: Clock, policy: RatePolicy, keys = 100_000) {
    this.#clock = clock
    this.#policy = policy
    // As a size, not as `max`, which would take the memory for all of them at once.
    this.#windows = new LRUCache({ maxSize: keys, sizeCalculation: () => 1 })
  }

  /** Counts without refusing. */
  count(key: string, amount = 1): void {
    this.#window(key).used += amount
  }

  isExhausted(key: string): boolean {
    const window = this.#windows.get(key)
    return window !== undefined && window.endsAt > this.#clock.monotonic() && window.used >= this.#policy.limit
  }

  budget(key: string): RateBudget {
    const { limit } = this.#policy
    const { used, endsAt } = this.#window(key)
    return {
      limit,
      remaining: Math.max(0, limit - used),
      resetMs: Math.max(0, endsAt - this.#clock.monotonic()),
    }
  }

  /** Counts `amount`, or nothing if less is left. @throws RateLimited */
  take(key: string, amount = 1): RateBudget {
    const window = this.#window(key)
    if (window.used + amount > this.#policy.limit) throw this.refusal(key)
    window.used += amount
    return this.budget(key)
  }

  /** @throws RateLimited if the budget is exhausted */
  check(key: string): void {
    if (this.isExhausted(key)) throw this.refusal(key)
  }

  refusal(key: string): RateLimited {
    const { limit, windowMs, of } = this.#policy
    return new RateLimited(`Too many ${of}: at most ${limit} in ${windowMs / 1000} s.`, this.budget(key))
  }

  /** The next use of the key begins a new window. */
  reset(key: string): void {
    this.#windows.delete(key)
  }

  #window(key: string): Window {
    const now = this.#clock.monotonic()
    const known = this.#windows.get(key)
    if (known !== undefined && known.endsAt > now) return known
    const fresh = { used: 0, endsAt: now + this.#policy.windowMs }
    this.#windows.set(key, fresh)
    return fresh
  }
}

/** Headers of the IETF draft that clients know: limit, what is left, seconds to the reset. */
export function rateLimitHeaders(budget: RateBudget): Record<string, string> {
  return {
    'ratelimit-limit': String(budget.limit),
    'ratelimit-remaining': String(budget.remaining),
    'ratelimit-reset': String(Math.ceil(budget.resetMs / 1000)),
  }
}
