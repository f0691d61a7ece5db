/**
 * Slows down callers that guess credentials, per address (/64 for IPv6). No caller is rejected because of what others at the same
 * address do.
 */
import { LRUCache } from 'lru-cache'
import type { Clock } from '../../actors/ports/clock.ts'
import { addressGroup } from '../http/addresses.ts'
import type { Limits } from '../limits/limits.ts'
import { RateLimit } from '../limits/rateLimit.ts'
import { Semaphore } from '../limits/semaphore.ts'

export class FailedLookups {
  readonly #failures: RateLimit
  readonly #narrow: LRUCache<string, Semaphore>
  readonly #atOnce: number

  constructor(limits: Pick<Limits, 'failedLookupsPerMinute' | 'lookupsAtOnce'>, clock: Clock) {
    this.#failures = new RateLimit(clock, limits.failedLookupsPerMinute, 60_000)
    this.#narrow = new LRUCache({ max: 10_000 })
    this.#atOnce = limits.lookupsAtOnce
  }

  /** Lookups from an address that has failed too often wait for each other. */
  async run<T>(address: string, find: () => Promise<T>): Promise<T> {
    const group = addressGroup(address)
    return await (this.#failures.spent(group) ? this.#narrowed(group).run(find) : find())
  }

  /** Counts a failure. @throws Failure RATE_LIMITED if there were too many already */
  failed(address: string, what: string): void {
    const group = addressGroup(address)
    if (this.#failures.spent(group)) throw this.#failures.refusal(group, what)
    this.#failures.add(group)
  }

  #narrowed(group: string): Semaphore {
    const known = this.#narrow.get(group)
    if (known) return known
    const semaphore = new Semaphore(this.#atOnce)
    this.#narrow.set(group, semaphore)
    return semaphore
  }
}
