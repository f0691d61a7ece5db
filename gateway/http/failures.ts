/** Converts thrown errors to refusals without internal details, and refusals to the REST envelope. */
import type { Logger } from 'pino'
import { Failure } from '../../spec/core/failure.ts'
import { RateLimited, rateLimitHeaders } from '../limits/rateLimiter.ts'
import { json } from './answer.ts'
import type { RequestHead } from './request.ts'
import type { Answer } from './route.ts'

/** An error that is not a `Failure` is a defect. It is logged in full with the request ID and returned as `INTERNAL`. */
export function asFailure(error: unknown, log: Logger, requestId: string): Failure {
  if (error instanceof Failure) return error
  log.error({ err: error, requestId }, 'unexpected error')
  return new Failure(
    'INTERNAL',
    'An unexpected error occurred on the server. The log has its reason under this request ID.',
  )
}

/** `Retry-After` in seconds, which 429 and 503 always have. A rate or quota limit adds its budget. */
export function retryHeaders(failure: Failure): Record<string, string> {
  return { ...(failure instanceof RateLimited ? rateLimitHeaders(failure.budget) : {}), ...retryAfter(failure) }
}

function retryAfter(failure: Failure): Record<string, string> {
  if (failure.retryAfterMs !== undefined) return { 'retry-after': String(Math.ceil(failure.retryAfterMs / 1000)) }
  return failure.status === 429 || failure.status === 503 ? { 'retry-after': '1' } : {}
}

/** REST uses another name for `INTERNAL`. */
function restCode(failure: Failure): string {
  return failure.code === 'INTERNAL' ? 'INTERNAL_ERROR' : failure.code
}

/** HTTP has three more refusal statuses than the table of codes: 408, 412 and 415. */
export function statusOf(failure: Failure): number {
  if (failure.details?.timeout === true) return 408
  if (failure.details?.unsupportedVersion === true) return 412
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
