/** How many bytes of telemetry one address may have kept in a day: nobody vouches for it. Counted in this process, by the /64 for IPv6. */
import type { Clock } from '../../../actors/ports/clock.ts'
import { addressGroup } from '../../http/addresses.ts'
import type { Limits } from '../../limits/limits.ts'
import { RateLimit } from '../../limits/rateLimit.ts'

const dayMs = 86_400_000

export class TelemetryQuota {
  readonly #bytes: RateLimit

  constructor(clock: Clock, limits: Pick<Limits, 'telemetryBytesPerDay'>) {
    this.#bytes = new RateLimit(clock, limits.telemetryBytesPerDay, dayMs)
  }

  /** Counts what is about to be kept. @throws Failure RATE_LIMITED, after which it is not kept */
  keep(address: string, size: number): void {
    this.#bytes.take(addressGroup(address), size, bytes)
  }
}

const bytes = 'bytes of telemetry from this address'
