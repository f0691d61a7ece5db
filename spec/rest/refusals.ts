/** The errors that a route can return: its own, and those that follow from its access rule and its inputs. */
import * as v from 'valibot'
import { type FailureCode, failureRules } from '../core/failure.ts'
import type { Refusal, RestRoute } from './restRoute.ts'

export interface StatedRefusal extends Refusal {
  readonly status: number
}

const inputExtras = {
  field: v.optional(v.pipe(v.string(), v.description('The path of the wrong field, or "body".'))),
  problem: v.optional(v.pipe(v.string(), v.description('The error in the field, and the values that are accepted.'))),
}

/** The input is invalid. */
export const badInput: Refusal = { code: 'BAD_USER_INPUT', extras: inputExtras }
const tooLarge: Refusal = {
  code: 'PAYLOAD_TOO_LARGE',
  extras: { limit: v.pipe(v.number(), v.integer(), v.description('The maximum size of the body, in bytes.')) },
}

const notAcceptedExtras = {
  id: v.pipe(v.string(), v.description('The ID of the object.')),
  state: v.pipe(v.string(), v.description('The current state of the object.')),
  event: v.pipe(v.string(), v.description('The event that the object does not accept in that state.')),
  acceptedEvents: v.pipe(v.array(v.string()), v.description('The events that the object accepts in that state.')),
}

/** For routes that send a message that the machine may not accept in its state. */
export const notAccepted: Refusal = { code: 'FAILED_PRECONDITION', extras: notAcceptedExtras }

/** For routes that can fail with the same code for another reason too, without these fields. */
export const perhapsNotAccepted: Refusal = {
  code: 'FAILED_PRECONDITION',
  extras: v.partial(v.object(notAcceptedExtras)).entries,
}

/** Whether errors of a route also have `code` and `message` at the top level, where clients of Better Auth expect them. */
export function isAccountPath(path: string): boolean {
  return path.startsWith('/api/auth/')
}

/** Sorted by status. No two have the same status and code. */
export function refusalsOf(route: RestRoute): readonly StatedRefusal[] {
  const known = new Map<string, StatedRefusal>()
  for (const one of [...route.refusals.map(stated), ...standing(route)]) {
    const key = `${one.status} ${one.code}`
    if (!known.has(key)) known.set(key, one)
  }
  return [...known.values()].sort((a, b) => a.status - b.status)
}

/** Bodies of other media types are not refused for their type. */
const enforcedTypes: ReadonlySet<string> = new Set([
  'application/json',
  'multipart/form-data',
  'application/octet-stream',
  'application/offset+octet-stream',
])

function standing({
  access,
  method,
  params,
  queryRefusal,
  body,
  bodyRefusal,
  credentialRefusal,
  rawBody,
  rate,
  noInternalError,
}: RestRoute): readonly StatedRefusal[] {
  const found: StatedRefusal[] = []
  // The origin rule: a browser's session cookie is accepted only for requests of the server's own pages.
  if (method !== 'GET' && method !== 'HEAD') found.push(stated('INVALID_ORIGIN'))
  if (access !== 'public') {
    const credential = credentialRefusal ? [credentialRefusal] : (['UNAUTHENTICATED', 'FORBIDDEN'] as const)
    found.push(...[...credential, 'RATE_LIMITED' as const, 'UNAVAILABLE' as const].map(stated))
    if (!noInternalError) found.push(stated('INTERNAL_ERROR'))
  }
  if (rate) found.push(stated('RATE_LIMITED'))
  if (queryRefusal) found.push(queryRefusal === 'BAD_USER_INPUT' ? stated(badInput) : stated(queryRefusal))
  const bad = bodyRefusal ? { ...badInput, code: bodyRefusal } : badInput
  if (params) found.push(stated(badInput))
  if (body) found.push(stated(bad))
  // The media type of a body, its size, and the time within which it must arrive.
  if (body || (rawBody && enforcedTypes.has(rawBody.mediaType))) found.push({ ...bad, status: 415 })
  if (body || rawBody) found.push(stated(tooLarge), { ...bad, status: 408 })
  return found
}

function stated(refusal: FailureCode | Refusal): StatedRefusal {
  const one = typeof refusal === 'string' ? { code: refusal } : refusal
  return { ...one, status: one.status ?? failureRules[one.code].status }
}
