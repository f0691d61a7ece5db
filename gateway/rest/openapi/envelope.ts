/** The envelope of refusals: one component. Each response narrows it to its own codes and extras. */
import type { ReferenceObject, SchemaObject } from 'openapi3-ts/oas31'
import * as v from 'valibot'
import type { StatedRefusal } from '../../../spec/rest/refusals.ts'
import type { Components } from './schemas.ts'

const words = {
  code: 'The code of the error, for programs.',
  message: 'The message for people: the error and its remedy.',
  requestId: 'The ID of the request in the server’s log: `x-request-id`.',
}
const text = (description: string): SchemaObject => ({ type: 'string', description })

const error: SchemaObject = {
  type: 'object',
  description: 'The reason why the request was refused. Some codes have more fields, which the responses describe.',
  properties: { code: text(words.code), message: text(words.message), requestId: text(words.requestId) },
  required: ['code', 'message', 'requestId'],
}

export const envelopes: Readonly<Record<'Refusal' | 'AccountRefusal', SchemaObject>> = {
  Refusal: {
    type: 'object',
    description: 'The response to every refused request.',
    properties: { error },
    required: ['error'],
  },
  AccountRefusal: {
    type: 'object',
    description: 'Code and message are also at the top level, where clients of Better Auth read them.',
    properties: { code: text(words.code), message: text(words.message), error },
    required: ['code', 'message', 'error'],
  },
}

/** The refusals of one status. An extra is required if all of them have it. */
export function envelopeOf(
  refusals: readonly StatedRefusal[],
  envelope: keyof typeof envelopes,
  components: Components,
): SchemaObject {
  const codes = [...new Set(refusals.map(({ code }) => code))]
  const parts = refusals.map(({ extras }) => components.schema(v.object(extras ?? {}), 'output'))
  const extras = Object.assign({}, ...parts.map(({ properties }) => properties)) as NonNullable<
    SchemaObject['properties']
  >
  const required = Object.keys(extras).filter((name) => parts.every((part) => part.required?.includes(name)))
  const narrowed: SchemaObject = {
    type: 'object',
    properties: { code: { enum: codes }, ...extras },
    ...(required.length > 0 ? { required } : {}),
  }
  const reference: ReferenceObject = { $ref: `#/components/schemas/${envelope}` }
  return { allOf: [reference, { type: 'object', properties: { error: narrowed } }] }
}
