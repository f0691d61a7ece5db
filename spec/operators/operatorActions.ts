/**
 * Operator actions on actors that are stuck: send an event that the chart accepts, force a transition, retry a failed effect or
 * give it up. Each has a preview. The action then names the sequence that was previewed, and its reason.
 */
import * as v from 'valibot'
import { idempotencyKey } from '../agents/enrollments.ts'
import { mutation, query } from '../core/operation.ts'
import { atMost, id, named } from '../core/types.ts'
import { actorKindName, actorSchema } from './actorRecord.ts'
import { failedEffectsMax, moreEffects } from './failedEffects.ts'
import { actType, anyActor, effectId, expectedSequence, reason, what } from './operatorActionInput.ts'
import { foresight } from './operatorPreviews.ts'

/** The most events and states that a kind offers to operators. */
export const offersMax = 20
/** The most actors that an operator's event names. */
export const carriedMax = 2
const actsMax = offersMax + 2 * failedEffectsMax

export const operatorActions = query({
  name: 'operatorActions',
  description:
    'What an operator could do to an actor as it stands, each with what would come of it. Of events that carry something the preview is asked for by itself.',
  access: 'people',
  tool: {
    group: 'actors',
    name: 'get_operator_actions',
    title: 'What can be done to an actor',
    description:
      'What an operator could do now to an object that stands still (see `get_stuck_actors`): events that its chart takes, states ' +
      'that it can be moved to, failed effects that can be tried again or given up, each with a preview of what would come of it. ' +
      'Then `perform_operator_action` does one of them.',
  },
  cost: 20,
  input: v.object({ id: anyActor }),
  output: named(
    'OperatorActions',
    'What an operator could do to an actor.',
    v.object({
      actor: actorSchema,
      refusal: v.pipe(v.nullable(v.string()), v.description('Why nothing can be done to the actor itself.')),
      acts: atMost(
        actsMax,
        named(
          'PossibleOperatorAction',
          'Something that an operator could do.',
          v.object({
            act: actType,
            label: v.pipe(v.string(), v.description('What it does, in words.')),
            event: v.nullable(v.string()),
            carries: v.pipe(
              atMost(
                carriedMax,
                named(
                  'OperatorEventField',
                  'What an event carries: the ID of an actor.',
                  v.object({ name: v.string(), kind: actorKindName }),
                ),
              ),
              v.description('What the payload must have.'),
            ),
            state: v.nullable(v.string()),
            effectId: v.nullable(v.string()),
            preview: v.nullable(foresight),
          }),
        ),
      ),
      moreEffects,
    }),
  ),
})

const manyMax = 200

export const previewOperatorAction = query({
  name: 'previewOperatorAction',
  description:
    'What an act would do to actors as they stand: state, timers, effects, and what those that it tells would make of it. Nothing is written.',
  access: 'people',
  tool: {
    group: 'actors',
    name: 'preview_operator_action',
    title: 'Preview an operator’s act',
    description:
      'What an act would do to up to 200 objects as they stand, without doing it: next state, timers, effects, who else would be ' +
      'moved, what a queue would admit. `sequence` of each goes to `perform_operator_action` as `expectedSequence`.',
  },
  cost: 20,
  input: v.object({
    actors: v.pipe(
      v.array(
        named('OperatorActionTarget', 'An actor, and the effect that is meant.', v.object({ id: anyActor, effectId })),
      ),
      v.minLength(1, 'must name at least one'),
      v.maxLength(manyMax, `must name at most ${manyMax}`),
      v.description('The actors, each with its effect where the act is on effects.'),
    ),
    ...what,
  }),
  output: v.array(foresight),
})

export const performOperatorAction = mutation({
  name: 'performOperatorAction',
  description:
    'Does something to an actor that stands still, as `previewOperatorAction` showed it: an event, another state, a failed effect tried again or given up. Journaled with who and why. CONFLICT where the actor has moved on since.',
  access: 'people',
  tool: {
    group: 'actors',
    name: 'perform_operator_action',
    title: 'Operate an actor',
    description:
      'Does one of the acts that `get_operator_actions` lists to an object that stands still. Say why in `reason`: it is journaled. ' +
      'With `CONFLICT` the object has moved on since you looked: look again. Prefer the object’s own tools (`cancel_run`) where ' +
      'they do; moving a state is the last resort.',
    destroys: true,
  },
  input: v.object({ id: anyActor, ...what, effectId, expectedSequence, reason, idempotencyKey }),
  output: named('PerformOperatorActionPayload', 'The actor after the act.', v.object({ actor: actorSchema })),
})

export const performOperatorActions = mutation({
  name: 'performOperatorActions',
  description:
    'The same act for up to 200 actors, each by itself: those that are refused keep none of the others from it.',
  access: 'people',
  tool: {
    group: 'actors',
    name: 'perform_operator_actions',
    title: 'Operate many actors',
    description:
      'As `perform_operator_action`, for up to 200 objects at once. Each stands for itself: `results` says of each whether it was done, or ' +
      'why not. Look at `preview_operator_action` before.',
    destroys: true,
  },
  input: v.object({
    actors: v.pipe(
      v.array(
        named('OperatedActor', 'An actor as it was looked at.', v.object({ id: anyActor, expectedSequence, effectId })),
      ),
      v.minLength(1, 'must name at least one'),
      v.maxLength(manyMax, `must name at most ${manyMax}`),
      v.description('The actors, each with the `sequence` of its preview, and its effect where the act is on effects.'),
    ),
    ...what,
    reason,
    idempotencyKey,
  }),
  output: named(
    'PerformOperatorActionsPayload',
    'What became of each, in the order of the request.',
    v.object({
      results: v.array(
        named(
          'OperatedActorResult',
          'What became of one.',
          v.object({
            id,
            done: v.boolean(),
            actor: v.pipe(v.nullable(actorSchema), v.description('After the act.')),
            code: v.pipe(
              v.nullable(v.string()),
              v.description('Why it was not done: `CONFLICT`, `FAILED_PRECONDITION` …'),
            ),
            message: v.nullable(v.string()),
          }),
        ),
      ),
    }),
  ),
})

export const operatorActionOperations = [
  operatorActions,
  previewOperatorAction,
  performOperatorAction,
  performOperatorActions,
]
