import type { RateBudget } from '../../limits/rateLimiter.ts'

/** The price of a request. */
export interface Charge {
  /** Cost units: at least the number of objects in the answer. */
  readonly units: number
  /** Points that the units took of the budget. */
  readonly points: number
  /** The rest of the principal's budget. */
  readonly budget: RateBudget
}
