import type { Json } from '../../../spec/core/actor.ts'
import { Failure } from '../../../spec/core/failure.ts'

/** Characters of JSON that may stand in a message. */
const jsonMax = 64 * 1024

/** @throws Failure PAYLOAD_TOO_LARGE */
export function boundedJson(value: unknown, field: string): Json {
  if (JSON.stringify(value ?? null).length > jsonMax) {
    throw new Failure('PAYLOAD_TOO_LARGE', `${field} may have at most ${jsonMax} characters as JSON.`, {
      details: { field },
    })
  }
  return (value ?? null) as Json
}
