/** An operator action. The journal stores it with its reason. It is decided only on the sequence that the operator previewed. */
import type { ActorEvent, Json } from '../core/actor.ts'
import { Failure } from '../core/failure.ts'

export type OperatorAction =
  /** One of the events that the definition lists for operators. */
  | { readonly type: 'SEND'; readonly event: string; readonly payload: Readonly<Record<string, Json>> }
  /** A forced transition: puts the lifecycle into one of its states. */
  | { readonly type: 'MOVE'; readonly state: string }
  /** Gives an effect that has failed for good all its attempts again, under its old ID. */
  | { readonly type: 'RETRY_EFFECT'; readonly effectId: string }
  /** Deletes the effect. */
  | { readonly type: 'GIVE_UP_EFFECT'; readonly effectId: string }

/** The answer if the effect is in flight or done, or if its failure is still being reported to its actor. */
export function effectNotFailed(): Failure {
  return new Failure('FAILED_PRECONDITION', 'The effect is not one that has failed, or not any more. Look again.', {
    details: { field: 'effectId' },
  })
}

/** The event name of a forced transition in the journal. */
export const moved = 'operatorMove'

/** The event that the actor receives for an operator action. */
export function eventOf(act: OperatorAction): ActorEvent {
  switch (act.type) {
    case 'SEND':
      return { ...act.payload, type: act.event }
    case 'MOVE':
      return { type: moved, to: act.state }
    case 'RETRY_EFFECT':
      return { type: 'effectRecovered', effectId: act.effectId }
    case 'GIVE_UP_EFFECT':
      return { type: 'effectGivenUp', effectId: act.effectId }
  }
}
