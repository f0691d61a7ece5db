/**
 * Limits the bytes that one address may store without a credential. Each process counts for itself. An IPv6 address counts as its /64
 * network.
 */
import type { Clock } from '../../actors/ports/clock.ts'
import { addressGroup } from '../http/addresses.ts'
import { RateLimiter, type RatePolicy } from './rateLimiter.ts'

export class AddressQuota {
  readonly #bytes: RateLimiter

  constructor(clock: Clock, policy: RatePolicy) {
    this.#bytes = new RateLimiter(clock, policy)
  }

  /** Counts bytes before they are stored. @throws Failure RATE_LIMITED: they must not be stored */
  count(address: string, size: number): void {
    this.#bytes.take(addressGroup(address), size)
  }
}
