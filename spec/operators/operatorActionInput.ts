/** The input of an operator action. */
import * as v from 'valibot'
import { oneOf } from '../core/oneOf.ts'
import { anyId, int, named, text } from '../core/types.ts'

/** The most actors that an operator's event names. */
export const requiredIdsMax = 2

const eventId = named(
  'OperatorEventIdInput',
  'An actor that the event names.',
  v.object({
    name: v.pipe(text({ min: 1, max: 60 }), v.description('The name in `requiredIds`, for example `runId`.')),
    id: v.pipe(anyId, v.description('The ID of an actor of one of the kinds in `requiredIds`.')),
  }),
)

const operatorEvent = named(
  'OperatorEventInput',
  'One of the events that `operatorActions` lists for the actor.',
  v.object({
    event: v.pipe(text({ min: 1, max: 60 }), v.description('The type of the event, for example `cancel`.')),
    ids: v.pipe(
      v.nullish(v.pipe(v.array(eventId), v.maxLength(requiredIdsMax, `must have at most ${requiredIdsMax}`))),
      v.description('The IDs in `requiredIds`, and no others.'),
    ),
  }),
)

const forcedTransition = named(
  'ForcedTransitionInput',
  'A forced transition into another state of the lifecycle.',
  v.object({
    state: v.pipe(
      text({ min: 1, max: 60 }),
      v.description('One of the states that `operatorActions` lists for the actor.'),
    ),
  }),
)

const failedEffect = named(
  'FailedEffectInput',
  'A failed effect of the actor.',
  v.object({
    effectId: v.pipe(
      text({ min: 1, max: 100 }),
      v.description('One of the effects that `operatorActions` lists for the actor.'),
    ),
  }),
)

export const operatorActionInput = oneOf(
  'OperatorActionInput',
  'An operator action: exactly one of the fields. `sendEvent` sends an event to the actor. `forceTransition` puts the actor into another state, and exits and enters states as a transition does. `retryEffect` gives a failed effect all its attempts again, under its old ID. `giveUpEffect` deletes a failed effect.',
  {
    sendEvent: operatorEvent,
    forceTransition: forcedTransition,
    retryEffect: failedEffect,
    giveUpEffect: failedEffect,
  },
)

export const anyActor = v.pipe(anyId, v.description('The ID of any actor: `run_…`, `job_…`, `agt_…`.'))
export const expectedSequence = v.pipe(
  int,
  v.minValue(1),
  v.maxValue(1_000_000_000),
  v.description('The `sequence` of the preview. If the actor has changed since, nothing is done (`CONFLICT`).'),
)
export const reason = v.pipe(
  text({ min: 1, max: 500 }),
  v.description('The reason for the action. The journal stores it with the transition.'),
)
