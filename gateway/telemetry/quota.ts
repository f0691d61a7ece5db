/** How much telemetry one address may send: nobody vouches for it. Counted in this process, by the /64 for IPv6. */
import type { Clock } from '../../actors/ports.ts'
import { addressGroup } from '../addresses.ts'
import type { Limits } from '../limits.ts'
import { type Budget, RateLimit } from '../rateLimit.ts'

const minuteMs = 60_000
const dayMs = 86_400_000

export class TelemetryQuota {
  readonly #requests: RateLimit
  readonly #bytes: RateLimit

  constructor(clock: Clock, limits: Pick<Limits, 'telemetryRequestsPerMinute' | 'telemetryBytesPerDay'>) {
    this.#requests = new RateLimit(clock, limits.telemetryRequestsPerMinute, minuteMs)
    this.#bytes = new RateLimit(clock, limits.telemetryBytesPerDay, dayMs)
  }

  /** Counts a request before its body is read. @throws Failure RATE_LIMITED */
  request(address: string): void {
    const group = addressGroup(address)
    if (this.#bytes.spent(group)) throw this.#bytes.refusal(group, bytes)
    this.#requests.take(group, 1, 'telemetry requests from this address')
  }

  /** Counts what is about to be kept. @throws Failure RATE_LIMITED, after which it is not kept */
  keep(address: string, size: number): void {
    this.#bytes.take(addressGroup(address), size, bytes)
  }

  /** What is left of the minute's requests. */
  left(address: string): Budget {
    return this.#requests.budget(addressGroup(address))
  }
}

const bytes = 'bytes of telemetry from this address'
