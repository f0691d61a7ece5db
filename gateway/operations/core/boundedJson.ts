import type { Json } from '../../../spec/core/actor.ts'
import { Failure } from '../../../spec/core/failure.ts'

/** The maximum number of characters of JSON in a message, unless the caller allows more. */
const jsonMax = 64 * 1024

/** @throws Failure PAYLOAD_TOO_LARGE */
export function boundedJson(value: unknown, field: string, most = jsonMax): Json {
  if (JSON.stringify(value ?? null).length > most) {
    throw new Failure('PAYLOAD_TOO_LARGE', `${field} must have at most ${most} characters as JSON.`, {
      details: { field },
    })
  }
  return (value ?? null) as Json
}
