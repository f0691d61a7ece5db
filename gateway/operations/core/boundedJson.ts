import type { Json } from '../../../spec/core/actor.ts'
import { Failure } from '../../../spec/core/failure.ts'

/** The maximum number of characters of JSON in a message. */
const jsonMax = 64 * 1024

/** @throws Failure PAYLOAD_TOO_LARGE */
export function boundedJson(value: unknown, field: string): Json {
  if (JSON.stringify(value ?? null).length > jsonMax) {
    throw new Failure('PAYLOAD_TOO_LARGE', `${field} must have at most ${jsonMax} characters as JSON.`, {
      details: { field },
    })
  }
  return (value ?? null) as Json
}
