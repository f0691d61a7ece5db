/**
 * CORS for public ingestion. Pages of any origin may send requests without credentials and read the responses. Other routes have none
 * of these headers, so browsers block other origins from reading their responses.
 */
import type { Answer, Route } from './route.ts'
import type { Match } from './router.ts'

/** The headers that a page may send in addition to those that every request may have. */
const requestHeaders = 'content-type, content-encoding, x-request-id'
const exposedHeaders = 'x-request-id, retry-after, ratelimit-limit, ratelimit-remaining, ratelimit-reset'
/** The longest time for which Chromium caches a preflight. */
const preflightSeconds = 7_200

const headers = {
  'access-control-allow-origin': '*',
  'access-control-expose-headers': exposedHeaders,
  'cross-origin-resource-policy': 'cross-origin',
} as const

/** Returns the response to a preflight, or undefined if no route of this path accepts other origins. */
export function preflight({ routes }: Match, allow: string): Answer | undefined {
  const methods = [...routes.values()].filter(({ anyOrigin }) => anyOrigin).map(({ method }) => method)
  if (methods.length === 0) return undefined
  const given = {
    allow,
    ...headers,
    'access-control-allow-methods': methods.join(', '),
    'access-control-allow-headers': requestHeaders,
    'access-control-max-age': String(preflightSeconds),
  }
  return { status: 204, headers: given }
}

/** Refusals also get these headers, so that pages can read what to change and when to retry. */
export function withCors(answer: Answer, route: Route | undefined): Answer {
  return route?.anyOrigin ? { ...answer, headers: { ...headers, ...answer.headers } } : answer
}
