/**
 * Requests an operation for an actor, and returns the outcome as an event: `requestAnswered` with the answer, or `requestRefused` if the
 * refusal is final. If the failure can be retried, the effect is repeated. The idempotency key and the IDs of all new actors follow from the
 * effect. So a repeat creates nothing a second time, also after the key has expired.
 */
import type { RequestedOperation } from '../../machines/framework/requestOperation.ts'
import type { Json } from '../../spec/core/actor.ts'
import { Failure } from '../../spec/core/failure.ts'
import type { ActorKind } from '../../spec/core/ids.ts'
import type { EffectHandler } from '../outbox/dispatcher.ts'
import { derivedId } from './derivedId.ts'

export interface OperationRequest {
  /** The same at each attempt. */
  readonly key: string
  /** The actor that requests the operation. */
  readonly actorId: string
  /** The ID in the principal: that actor itself, or the one on whose behalf it requests the operation. */
  readonly principalId: string
  /** The ID of the run whose authority the operation has at most. */
  readonly restrictedBy: string | undefined
  readonly operation: string
  readonly input: Readonly<Record<string, Json>>
  /** The ID of a new actor, by its index among the new actors of its kind. The same at each attempt. */
  newId(kind: ActorKind, index: number): string
}

/** Executes an operation and returns its answer. @throws Failure */
export type RequestOperation = (request: OperationRequest) => Promise<Readonly<Record<string, Json>>>

export interface RequestOperationPorts {
  readonly requestOperation: RequestOperation
}

export function requestOperation({ requestOperation: execute }: RequestOperationPorts): EffectHandler {
  return async ({ id: key, actor, params }) => {
    const requested = params as unknown as RequestedOperation
    const { operation, input, request, at, as: principalId = actor.id, restrictedBy } = requested
    const newId = (kind: ActorKind, index: number) => derivedId(kind, at, [key, kind, index])
    try {
      const answer = await execute({ key, actorId: actor.id, principalId, restrictedBy, operation, input, newId })
      return { type: 'requestAnswered', request, answer }
    } catch (error) {
      if (!(error instanceof Failure) || error.retryable || error.code === 'INTERNAL') throw error
      return { type: 'requestRefused', request, code: error.code, message: error.message }
    }
  }
}
