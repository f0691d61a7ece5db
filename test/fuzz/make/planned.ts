/** A request that is about to be sent, with what is expected of it. */
import type { DocumentNode } from 'graphql'
import type { Caller } from '../callers/caller.ts'
import type { Sent } from '../http.ts'
import type { Choice } from '../steer.ts'

export interface Planned extends Choice {
  readonly caller: Caller
  readonly requestId: string
  readonly sent: Sent
  /** What is wrong with it; undefined where nothing is. */
  readonly how: string | undefined
  /** What was made for the operation, where that is all it asks. */
  readonly input: unknown
  /** Of a GraphQL request whose result can be held against it. */
  readonly document?: DocumentNode | undefined
}
