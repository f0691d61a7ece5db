/**
 * Operator actions on actors that are stuck: send an event that the chart accepts, force a transition, retry a failed effect or
 * give it up. Each has a preview. The action then names the sequence that was previewed, and its reason.
 */
import * as v from 'valibot'
import { idempotencyKey } from '../core/idempotencyKey.ts'
import { mutation, query } from '../core/operation.ts'
import { atMost, id, named } from '../core/types.ts'
import { actorKindName, actorSchema } from './actorRecord.ts'
import { failedEffectsMax, moreEffects } from './failedEffects.ts'
import { anyActor, expectedSequence, operatorActionInput, reason, requiredIdsMax } from './operatorActionInput.ts'
import { operatorActionPreview } from './operatorPreviews.ts'

/** The most events and states that a kind offers to operators. */
export const offeredActionsMax = 20
/** The kinds of actors that one required ID may have. */
export const requiredKindsMax = 2
const possibleActionsMax = offeredActionsMax + 2 * failedEffectsMax

const actionType = named(
  'OperatorActionType',
  'The field of `OperatorActionInput` that the action takes.',
  v.picklist(['SEND_EVENT', 'FORCE_TRANSITION', 'RETRY_EFFECT', 'GIVE_UP_EFFECT']),
)

const possibleAction = named(
  'PossibleOperatorAction',
  'An operator action that the actor accepts in its current state.',
  v.object({
    type: actionType,
    label: v.pipe(v.string(), v.description('A description of the consequence of the action.')),
    event: v.pipe(v.nullable(v.string()), v.description('The type of the event, for SEND_EVENT. Null otherwise.')),
    requiredIds: v.pipe(
      atMost(
        requiredIdsMax,
        named(
          'RequiredOperatorEventId',
          'An ID that the event requires.',
          v.object({
            name: v.string(),
            kinds: v.pipe(
              atMost(requiredKindsMax, actorKindName),
              v.description('The ID must be that of an actor of one of these kinds.'),
            ),
          }),
        ),
      ),
      v.description('The IDs that `sendEvent.ids` must have, for SEND_EVENT.'),
    ),
    state: v.pipe(
      v.nullable(v.string()),
      v.description('The state into which the actor is forced, for FORCE_TRANSITION. Null otherwise.'),
    ),
    effectId: v.pipe(
      v.nullable(v.string()),
      v.description('The failed effect, for RETRY_EFFECT and GIVE_UP_EFFECT. Null otherwise.'),
    ),
    preview: v.pipe(
      v.nullable(operatorActionPreview),
      v.description('Null if the event requires IDs. `previewOperatorAction` previews it with them.'),
    ),
  }),
)

export const operatorActions = query({
  name: 'operatorActions',
  description:
    'The operator actions that an actor accepts in its current state, each with its preview. An event that requires IDs has no preview here: call `previewOperatorAction`.',
  access: 'people',
  tool: {
    group: 'actors',
    name: 'get_operator_actions',
    title: 'List operator actions',
    description:
      'Lists the operator actions that an object accepts now, each with a preview of its result: events, forced transitions into ' +
      'another state, and failed effects to retry or give up. Use it for a stuck object (`get_stuck_actors`). ' +
      'Then call `perform_operator_action` with one of them.',
  },
  cost: 20,
  input: v.object({ id: anyActor }),
  output: named(
    'OperatorActions',
    'The operator actions that an actor accepts.',
    v.object({
      actor: actorSchema,
      refusal: v.pipe(
        v.nullable(v.string()),
        v.description(
          'The reason why the actor itself accepts no operator actions. Null if it accepts them. Its failed effects may be listed in both cases.',
        ),
      ),
      actions: atMost(possibleActionsMax, possibleAction),
      moreEffects,
    }),
  ),
})

const targetsMax = 200

/** @param inputName the name of a target in GraphQL */
function targets<const E extends v.ObjectEntries>(inputName: string, description: string, entries: E) {
  return v.pipe(
    v.array(named(inputName, description, v.object(entries))),
    v.minLength(1, 'must have at least one'),
    v.maxLength(targetsMax, `must have at most ${targetsMax}`),
  )
}

export const previewOperatorAction = query({
  name: 'previewOperatorAction',
  description:
    'Previews operator actions on the current state of actors: state, timers, effects, and the outcome for the actors that receive a tell. Nothing is written.',
  access: 'people',
  tool: {
    group: 'actors',
    name: 'preview_operator_action',
    title: 'Preview operator actions',
    description:
      'Previews operator actions on up to 200 objects without performing them: next state, timers, effects, the outcome for other ' +
      'objects, and the runs that a queue would admit. Pass the `sequence` of each preview to `perform_operator_action` as ' +
      '`expectedSequence`.',
  },
  cost: 20,
  input: v.object({
    targets: v.pipe(
      targets('OperatorActionTarget', 'An actor, and the action to preview.', {
        id: anyActor,
        action: operatorActionInput,
      }),
      v.description('The actors, each with its action.'),
    ),
  }),
  output: v.array(operatorActionPreview),
})

export const performOperatorAction = mutation({
  name: 'performOperatorAction',
  description:
    'Performs an operator action on an actor. The result is that of `previewOperatorAction`. The journal stores the operator and the reason. Fails with CONFLICT if the actor has changed since the preview.',
  access: 'people',
  tool: {
    group: 'actors',
    name: 'perform_operator_action',
    title: 'Perform an operator action',
    description:
      'Performs one of the actions that `get_operator_actions` lists. The journal stores `reason`. `CONFLICT` means that the object ' +
      'has changed since the preview: call `get_operator_actions` again. Prefer the tools of the object itself, such as ' +
      '`cancel_run`. Use `forceTransition` last.',
    destroys: true,
  },
  input: v.object({ id: anyActor, action: operatorActionInput, expectedSequence, reason, idempotencyKey }),
  output: named('PerformOperatorActionPayload', 'The actor after the action.', v.object({ actor: actorSchema })),
})

export const performOperatorActions = mutation({
  name: 'performOperatorActions',
  description:
    'Performs operator actions on up to 200 actors. Each is independent of the others: a refusal does not prevent the rest.',
  access: 'people',
  tool: {
    group: 'actors',
    name: 'perform_operator_actions',
    title: 'Perform operator actions on several objects',
    description:
      'Performs `perform_operator_action` for up to 200 objects. Each is independent of the others: `results` has the outcome of each. ' +
      'Call `preview_operator_action` first.',
    destroys: true,
  },
  input: v.object({
    targets: v.pipe(
      targets('PerformOperatorActionTarget', 'An actor, and the action to perform.', {
        id: anyActor,
        action: operatorActionInput,
        expectedSequence,
      }),
      v.description('The actors, each with its action and the `sequence` of its preview. Each actor occurs once.'),
    ),
    reason,
    idempotencyKey,
  }),
  output: named(
    'PerformOperatorActionsPayload',
    'The outcomes, in the order of the targets.',
    v.object({
      results: v.array(
        named(
          'OperatorActionResult',
          'The outcome for one target.',
          v.object({
            id,
            done: v.boolean(),
            actor: v.pipe(
              v.nullable(actorSchema),
              v.description('The actor after the action. Null if it was refused.'),
            ),
            code: v.pipe(
              v.nullable(v.string()),
              v.description('The code of the refusal: `CONFLICT`, `FAILED_PRECONDITION` …'),
            ),
            message: v.nullable(v.string()),
          }),
        ),
      ),
    }),
  ),
})
