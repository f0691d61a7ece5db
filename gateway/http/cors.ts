/**
 * CORS of public ingestion: pages of any origin may send, without credentials, and read what is answered. Every other route answers
 * without these headers, so browsers keep its answers from other origins.
 */
import type { Answer, Route } from './route.ts'
import type { Match } from './router.ts'

/** What a page may send beside what every request has. */
const requestHeaders = 'content-type, x-request-id'
const exposedHeaders = 'x-request-id, retry-after, ratelimit-limit, ratelimit-remaining, ratelimit-reset'
/** Chromium does not remember it for longer. */
const preflightSeconds = 7_200

const headers = {
  'access-control-allow-origin': '*',
  'access-control-expose-headers': exposedHeaders,
  'cross-origin-resource-policy': 'cross-origin',
} as const

/** The answer to a preflight; undefined if no route of this path takes other origins. */
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

/** Refusals are for pages of any origin too: they say what to send instead, and when. */
export function withCors(answer: Answer, route: Route | undefined): Answer {
  return route?.anyOrigin ? { ...answer, headers: { ...headers, ...answer.headers } } : answer
}
