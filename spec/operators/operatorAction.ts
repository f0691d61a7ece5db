/** An operator action. The journal stores it with its reason. It takes effect only if the actor is still at the sequence of the preview. */
import type { ActorEvent } from '../core/actor.ts'
import { Failure } from '../core/failure.ts'

export type OperatorAction =
  /** One of the events that the definition lists for operators, with the IDs that it requires. */
  | { readonly type: 'SEND_EVENT'; readonly event: string; readonly ids: readonly OperatorEventId[] }
  /** A forced transition: puts the lifecycle into one of its states. */
  | { readonly type: 'FORCE_TRANSITION'; readonly state: string }
  /** Starts again with an effect whose attempts are used up, with all its attempts and under its old ID. */
  | { readonly type: 'RETRY_EFFECT'; readonly effectId: string }
  /** Deletes a failed effect. */
  | { readonly type: 'GIVE_UP_EFFECT'; readonly effectId: string }

/** An actor that the event names, such as the run whose slot is released. The event has it under `name`. */
export interface OperatorEventId {
  readonly name: string
  readonly id: string
}

/** The event of a forced transition, also in the journal. */
export const forcedTransitionEvent = 'forceTransition'

/** The event that the actor receives for an operator action. */
export function toActorEvent(action: OperatorAction): ActorEvent {
  switch (action.type) {
    case 'SEND_EVENT':
      return { ...Object.fromEntries(action.ids.map(({ name, id }) => [name, id])), type: action.event }
    case 'FORCE_TRANSITION':
      return { type: forcedTransitionEvent, to: action.state }
    case 'RETRY_EFFECT':
      return { type: 'effectRecovered', effectId: action.effectId }
    case 'GIVE_UP_EFFECT':
      return { type: 'effectGivenUp', effectId: action.effectId }
  }
}

const choices = {
  SEND_EVENT: 'sendEvent',
  FORCE_TRANSITION: 'forceTransition',
  RETRY_EFFECT: 'retryEffect',
  GIVE_UP_EFFECT: 'giveUpEffect',
} as const satisfies Record<OperatorAction['type'], string>

/** The path of one of the action's fields in the input of `performOperatorAction`: `action.sendEvent.event`. */
export function operatorActionField({ type }: OperatorAction, field: string): string {
  return `action.${choices[type]}.${field}`
}

/** The answer if the effect is in flight or done, or if its failure is still being reported to its actor. */
export function effectNotFailed(action: OperatorAction): Failure {
  return new Failure(
    'FAILED_PRECONDITION',
    'The effect has not failed, or it was already retried or given up. Read the operator actions of the actor again.',
    { details: { field: operatorActionField(action, 'effectId') } },
  )
}
