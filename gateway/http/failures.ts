/** Turns whatever was thrown into a refusal that says nothing of the inside, and refusals into the REST envelope. */
import type { Logger } from 'pino'
import { Failure } from '../../spec/core/failure.ts'
import { RateLimited, rateLimitHeaders } from '../limits/rateLimit.ts'
import { json } from './answer.ts'
import type { RequestHead } from './request.ts'
import type { Answer } from './route.ts'

/** What is not a `Failure` is a defect: logged whole under the request ID, and told as `INTERNAL`. */
export function asFailure(error: unknown, log: Logger, requestId: string): Failure {
  if (error instanceof Failure) return error
  log.error({ err: error, requestId }, 'unexpected error')
  return new Failure('INTERNAL', 'Something went wrong on the server; its log says what, under this request ID.')
}

/** Seconds for `Retry-After`; 429 and 503 always carry it. Of a rate or quota, how much there was as well. */
export function retryHeaders(failure: Failure): Record<string, string> {
  return { ...(failure instanceof RateLimited ? rateLimitHeaders(failure.budget) : {}), ...retryAfter(failure) }
}

function retryAfter(failure: Failure): Record<string, string> {
  if (failure.retryAfterMs !== undefined) return { 'retry-after': String(Math.ceil(failure.retryAfterMs / 1000)) }
  return failure.status === 429 || failure.status === 503 ? { 'retry-after': '1' } : {}
}

/** REST's own name for what is `INTERNAL` elsewhere. */
function restCode(failure: Failure): string {
  return failure.code === 'INTERNAL' ? 'INTERNAL_ERROR' : failure.code
}

/** HTTP knows two refusals more than the table of codes. */
export function statusOf(failure: Failure): number {
  if (failure.details?.timeout === true) return 408
  return failure.details?.unsupportedType === true ? 415 : failure.status
}

export interface RestError {
  readonly code: string
  readonly message: string
  readonly requestId: string
  readonly [extra: string]: unknown
}

export function restError(failure: Failure, requestId: string): RestError {
  return { code: restCode(failure), message: failure.message, requestId, ...failure.details }
}

export function restRefusal(failure: Failure, head: RequestHead): Answer {
  return json(statusOf(failure), { error: restError(failure, head.requestId) }, retryHeaders(failure))
}
