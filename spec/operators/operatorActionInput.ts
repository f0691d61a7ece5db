/** The input of an operator action, and the message that it becomes. */
import * as v from 'valibot'
import { anyId, int, json, named, text } from '../core/types.ts'

export const actType = named(
  'OperatorActionType',
  'SEND_EVENT: one of the events that `operatorActions` lists. MOVE: into a state of the lifecycle, as a transition would. RETRY_EFFECT: a failed effect gets all its attempts anew, under its old ID. GIVE_UP_EFFECT: a failed effect is deleted.',
  v.picklist(['SEND_EVENT', 'MOVE', 'RETRY_EFFECT', 'GIVE_UP_EFFECT']),
)

export const what = {
  act: actType,
  event: v.pipe(v.nullish(text({ max: 60 })), v.description('Of SEND_EVENT: its type.')),
  payload: v.pipe(
    v.nullish(json),
    v.description('Of SEND_EVENT: the IDs that the event carries, by name: `{"runId": "run_…"}`.'),
  ),
  state: v.pipe(v.nullish(text({ max: 60 })), v.description('Of MOVE: the state.')),
}
export const effectId = v.pipe(
  v.nullish(text({ max: 100 })),
  v.description('Of RETRY_EFFECT and GIVE_UP_EFFECT: the effect.'),
)
export const anyActor = v.pipe(anyId, v.description('The ID of any actor: `run_…`, `job_…`, `agt_…`.'))
export const expectedSequence = v.pipe(
  int,
  v.minValue(1),
  v.maxValue(1_000_000_000),
  v.description(
    'The sequence of the actor that was looked at: where it has moved on since, nothing is done (`CONFLICT`).',
  ),
)
export const reason = v.pipe(text({ min: 1, max: 500 }), v.description('Why. It is journaled with the step.'))
