/** Holds what a declaration says of how often one address may call its route. Each route counts for itself. */
import type { Clock } from '../../actors/ports.ts'
import { Failure } from '../../spec/failure.ts'
import type { RestRate } from '../../spec/rest/restRoute.ts'
import { addressGroup } from '../addresses.ts'
import { restRefusal } from '../failures.ts'
import type { Limits } from '../limits.ts'
import { RateLimit, rateLimitHeaders } from '../rateLimit.ts'
import type { Answer, RouteCall } from '../route.ts'

type Handle = (call: RouteCall) => Promise<Answer>

/** Calls are counted before anything of their bodies is read, and whatever they are answered. */
export function withRate({ limit, windowMs, of }: RestRate, limits: Limits, clock: Clock, handle: Handle): Handle {
  const calls = new RateLimit(clock, limits[limit], windowMs)
  return async (call) => {
    const { request } = call
    const address = addressGroup(request.address)
    try {
      calls.take(address, 1, of)
    } catch (error) {
      if (!(error instanceof Failure)) throw error
      return withHeaders(restRefusal(error, request), calls, address)
    }
    return withHeaders(await handle(call), calls, address)
  }
}

function withHeaders(answer: Answer, calls: RateLimit, address: string): Answer {
  return { ...answer, headers: { ...answer.headers, ...rateLimitHeaders(calls.budget(address)) } }
}
