/**
 * Slows down callers that guess credentials, per address (/64 for IPv6). No caller is rejected because of what others at the same
 * address do.
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

  /** Lookups from an address that has failed too often wait for each other. */
  async run<T>(address: string, find: () => Promise<T>): Promise<T> {
    const group = addressGroup(address)
    return await (this.#failures.isExhausted(group) ? this.#turns.run(group, find) : find())
  }

  /** Counts a failure. @throws RateLimited if there were too many already */
  failed(address: string): void {
    const group = addressGroup(address)
    this.#failures.check(group)
    this.#failures.count(group)
  }
}
