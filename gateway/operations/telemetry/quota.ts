/**
 * Limits the bytes of telemetry that one address may store in a day, because the senders are anonymous. Each process counts for itself.
 * An IPv6 address counts as its /64 network.
 */
import type { Clock } from '../../../actors/ports/clock.ts'
import { addressGroup } from '../../http/addresses.ts'
import type { Limits } from '../../limits/limits.ts'
import { RateLimiter } from '../../limits/rateLimiter.ts'
import { ratePolicies } from '../../limits/ratePolicies.ts'

export class TelemetryQuota {
  readonly #bytes: RateLimiter

  constructor(clock: Clock, limits: Limits) {
    this.#bytes = new RateLimiter(clock, ratePolicies(limits).telemetryBytes)
  }

  /** Counts bytes before they are stored. @throws Failure RATE_LIMITED: they must not be stored */
  count(address: string, size: number): void {
    this.#bytes.take(addressGroup(address), size)
  }
}
