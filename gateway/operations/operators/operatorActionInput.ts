/** Converts the input of an operator action to the message that the actor receives. */
import type * as v from 'valibot'
import type { ActorRef } from '../../../spec/core/actor.ts'
import { Failure } from '../../../spec/core/failure.ts'
import { kindOfId } from '../../../spec/core/ids.ts'
import { type OperatorAction, operatorActionField, toActorEvent } from '../../../spec/operators/operatorAction.ts'
import type { operatorActionInput } from '../../../spec/operators/operatorActionInput.ts'
import type { Envelope } from '../../messages.ts'

export type OperatorMessage = Envelope & { readonly operatorAction: OperatorAction }

interface OperatorActionTarget {
  readonly id: string
  readonly action: v.InferOutput<typeof operatorActionInput>
  readonly expectedSequence?: number
}

/**
 * @param path of the target in the input, with a period at its end
 * @throws Failure BAD_USER_INPUT if the effect belongs to another actor
 */
export function readOperatorMessage(
  { id, action, expectedSequence }: OperatorActionTarget,
  path = '',
): OperatorMessage {
  const operatorAction = toOperatorAction(action)
  if ('effectId' in operatorAction && operatorAction.effectId.split(':')[0] !== id) {
    throw badInput(`${path}${operatorActionField(operatorAction, 'effectId')}`, `must be an effect of ${id}`)
  }
  return { ...toOperatorMessage(id, operatorAction), ...(expectedSequence === undefined ? {} : { expectedSequence }) }
}

export function toOperatorMessage(id: string, operatorAction: OperatorAction): OperatorMessage {
  return { to: toActorRef(id), event: toActorEvent(operatorAction), operatorAction }
}

export function badInput(field: string, problem: string): Failure {
  return new Failure('BAD_USER_INPUT', `${field}: ${problem}.`, { details: { field, problem } })
}

/** @param id of an actor, as the schema has checked it */
export function toActorRef(id: string): ActorRef {
  return { kind: kindOfId(id) ?? 'run', id }
}

function toOperatorAction(input: OperatorActionTarget['action']): OperatorAction {
  if (input.sendEvent !== undefined) {
    const { event, ids } = input.sendEvent
    return { type: 'SEND_EVENT', event, ids: ids ?? [] }
  }
  if (input.forceTransition !== undefined) return { type: 'FORCE_TRANSITION', state: input.forceTransition.state }
  if (input.retryEffect !== undefined) return { type: 'RETRY_EFFECT', effectId: input.retryEffect.effectId }
  return { type: 'GIVE_UP_EFFECT', effectId: input.giveUpEffect.effectId }
}
