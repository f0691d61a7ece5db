/** What an operator does to an actor that stands where it should not. Journaled with its reason, and decided on the sequence that was looked at. */
import type { ActorEvent, Json } from '../core/actor.ts'
import { Failure } from '../core/failure.ts'

export type OperatorAct =
  /** One of the events that the definition lists for operators. */
  | { readonly type: 'SEND'; readonly event: string; readonly payload: Readonly<Record<string, Json>> }
  /** Puts the lifecycle into one of its states, as a transition would. */
  | { readonly type: 'MOVE'; readonly state: string }
  /** Gives an effect that has failed for good all its attempts anew, under its old ID. */
  | { readonly type: 'RETRY_EFFECT'; readonly effectId: string }
  /** Deletes it. */
  | { readonly type: 'GIVE_UP_EFFECT'; readonly effectId: string }

/** The answer to an act on an effect that is under way, done, or just being told to its actor as failed. */
export function effectNotFailed(): Failure {
  return new Failure('FAILED_PRECONDITION', 'The effect is not one that has failed, or not any more. Look again.', {
    details: { field: 'effectId' },
  })
}

/** As which a move stands in the journal. */
export const moved = 'operatorMove'

/** What the actor hears of an act. */
export function eventOf(act: OperatorAct): ActorEvent {
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
