/**
 * Slows down callers that guess credentials, by address (/64 for IPv6). A caller whose credential is valid is never rejected because
 * others at the same address guess.
 */
import type { Clock } from '../../actors/ports/clock.ts'
import { addressGroup } from '../http/addresses.ts'
import { KeyedSemaphore } from '../limits/keyedSemaphore.ts'
import type { Limits } from '../limits/limits.ts'
import { RateLimiter, type RatePolicy } from '../limits/rateLimiter.ts'

export class FailedLookups {
  readonly #failures: RateLimiter
  readonly #turns: KeyedSemaphore

  constructor(policy: RatePolicy, { lookupsAtOnce }: Pick<Limits, 'lookupsAtOnce'>, clock: Clock) {
    this.#failures = new RateLimiter(clock, policy)
    this.#turns = new KeyedSemaphore(lookupsAtOnce)
  }

  /** Executes a lookup. If too many from the address have failed, at most `lookupsAtOnce` are in flight. */
  async run<T>(address: string, find: () => Promise<T>): Promise<T> {
    const group = addressGroup(address)
    return await (this.#failures.isExhausted(group) ? this.#turns.run(group, find) : find())
  }

  /** Counts a failed lookup. @throws RateLimited if too many were counted before */
  countFailure(address: string): void {
    this.#failures.check(addressGroup(address))
    this.count(address)
  }

  /** Counts a failed lookup of a caller who does not guess, and gets the reason in any case. */
  count(address: string): void {
    this.#failures.count(addressGroup(address))
  }
}
