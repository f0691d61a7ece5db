/** The media types of GraphQL over HTTP, and which status an answer has under each. */

import { json } from '../http/answer.ts'
import { statusOf } from '../http/failures.ts'
import type { Answer } from '../http/route.ts'
import type { Executed, Refusal } from './engine.ts'

export type MediaType = 'application/graphql-response+json' | 'application/json'

/** The newer one only where the caller names it: `*\/*` and silence mean the older. */
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

/** A text that does not parse or fit is 200 in the older type, as its clients expect, and 400 in the newer. */
export function refusalAnswer(
  { errors, failure }: Refusal,
  type: MediaType,
  headers: Readonly<Record<string, string>>,
): Answer {
  const status = failure ? statusOf(failure) : type === 'application/json' ? 200 : 400
  return json(status, { errors }, { ...headers, 'content-type': `${type}; charset=utf-8` })
}
