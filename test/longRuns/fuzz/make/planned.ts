/** A request that is about to be sent, with the expected result. */
import type { DocumentNode } from 'graphql'
import type { Caller } from '../callers/caller.ts'
import type { Sent } from '../http.ts'
import type { Choice } from '../steer.ts'

export interface Planned extends Choice {
  readonly caller: Caller
  readonly requestId: string
  readonly sent: Sent
  /** The defect of the request; undefined if it has none. */
  readonly how: string | undefined
  /** The input of the operation, if the request has no other part. */
  readonly input: unknown
  /** The document of a GraphQL request, if its result can be checked against it. */
  readonly document?: DocumentNode | undefined
}
