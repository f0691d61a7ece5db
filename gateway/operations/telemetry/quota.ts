/** How many bytes of telemetry one address may have kept in a day: nobody vouches for it. Counted in this process, by the /64 for IPv6. */
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

  /** Counts what is about to be kept. @throws Failure RATE_LIMITED, after which it is not kept */
  keep(address: string, size: number): void {
    this.#bytes.take(addressGroup(address), size)
  }
}
