/** The media types of GraphQL over HTTP, and the status of a response for each. */

import { json } from '../http/answer.ts'
import { statusOf } from '../http/failures.ts'
import type { Answer } from '../http/route.ts'
import type { Executed, Refusal } from './engine.ts'

export type MediaType = 'application/graphql-response+json' | 'application/json'

/** Returns the newer type only if the caller names it. `*\/*` or no header selects the older one. */
export function mediaTypeFor(accept: string | undefined): MediaType {
  return accept?.toLowerCase().includes('application/graphql-response+json')
    ? 'application/graphql-response+json'
    : 'application/json'
}

export function resultAnswer(
  { json: body, hasData }: Executed,
  type: MediaType,
  headers: Readonly<Record<string, string>>,
): Answer {
  const status = hasData || type === 'application/json' ? 200 : 400
  return { status, headers: { ...headers, 'content-type': `${type}; charset=utf-8` }, body }
}

/** For a text that is invalid, the status is 200 in the older type, as its clients expect, and 400 in the newer one. */
export function refusalAnswer(
  { errors, failure }: Refusal,
  type: MediaType,
  headers: Readonly<Record<string, string>>,
): Answer {
  const status = failure ? statusOf(failure) : type === 'application/json' ? 200 : 400
  return json(status, { errors }, { ...headers, 'content-type': `${type}; charset=utf-8` })
}
