/**
 * Creates the effect that requests an operation of the gateway for an actor: one line among the `effects` of an outcome. The machine's definition must list
 * `requestOperation`, and its chart must accept both answers. The operation is executed exactly once, also if an operator repeats the
 * effect days later. The operations that actors may request are in `gateway/operations/actorRequests.ts`.
 *
 *     effects: [requestOperation({ operation: 'startWorkflow', input: { workflowId, worktreeId }, request: { number }, at: event.at })]
 */
import type { Json } from '../../spec/core/actor.ts'

export interface RequestedOperation {
  readonly operation: string
  /** The input of the operation, without an idempotency key. */
  readonly input: Readonly<Record<string, Json>>
  /** Returned with the answer, so that the actor can identify the request. */
  readonly request: Json
  /** The time of the transition. The IDs of new actors begin with it. */
  readonly at: number
  /** The ID of the actor in whose name it is requested. This actor, if it is omitted. */
  readonly as?: string
  /** The ID of a run. The operation may do no more than that run may. */
  readonly restrictedBy?: string
}

export type RequestAnswered = {
  type: 'requestAnswered'
  at: number
  request: Json
  /** The answer of the operation: `{ run: { id, … } }`. */
  answer: Readonly<Record<string, Json>>
}

/** The final refusal of the operation. Failures that can be retried are not reported to the actor: the effect is repeated. */
export type RequestRefused = { type: 'requestRefused'; at: number; request: Json; code: string; message: string }

export function requestOperation(params: RequestedOperation): {
  readonly type: 'requestOperation'
  readonly params: Readonly<Record<string, Json>>
} {
  const { as, restrictedBy, ...rest } = params
  const optional = { ...(as === undefined ? {} : { as }), ...(restrictedBy === undefined ? {} : { restrictedBy }) }
  return { type: 'requestOperation', params: { ...rest, ...optional } }
}
