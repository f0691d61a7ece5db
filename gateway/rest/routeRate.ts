/** Enforces the declared rate at which one address may call a route. */
import type { Clock } from '../../actors/ports/clock.ts'
import type { RestRate } from '../../spec/rest/restRoute.ts'
import { addressGroup } from '../http/addresses.ts'
import type { Answer, RouteCall } from '../http/route.ts'
import type { Limits } from '../limits/limits.ts'
import { RateLimiter, rateLimitHeaders } from '../limits/rateLimiter.ts'

type Handle = (call: RouteCall) => Promise<Answer>

export class RouteRates {
  readonly #limits: Limits
  readonly #clock: Clock
  readonly #shared = new Map<RestRate['limit'], RateLimiter>()

  constructor(limits: Limits, clock: Clock) {
    this.#limits = limits
    this.#clock = clock
  }

  /** Calls are counted before their bodies are read, whatever the response is. */
  guard(rate: RestRate | undefined, handle: Handle): Handle {
    if (rate === undefined) return handle
    const calls = this.#callsOf(rate)
    return async (call) => {
      if (rate.onlyAnonymous === true && call.principal.kind !== 'anonymous') return await handle(call)
      const address = addressGroup(call.request.address)
      calls.take(address)
      const answer = await handle(call)
      return { ...answer, headers: { ...answer.headers, ...rateLimitHeaders(calls.budget(address)) } }
    }
  }

  #callsOf({ limit, windowMs, of, shared }: RestRate): RateLimiter {
    const known = shared && this.#shared.get(limit)
    if (known) return known
    const calls = new RateLimiter(this.#clock, { limit: this.#limits[limit], windowMs, of })
    if (shared) this.#shared.set(limit, calls)
    return calls
  }
}
