/** How an operator's act is given, and the message that it becomes. */
import * as v from 'valibot'
import type { ActorRef, Json } from './actor.ts'
import { boundedJson } from './boundedJson.ts'
import { Failure } from './failure.ts'
import { kindOfId } from './ids.ts'
import type { Envelope } from './operation.ts'
import { eventOf, type OperatorAct } from './operatorAct.ts'
import { anyId, int, json, named, text } from './types.ts'

export const actType = named(
  'OperatorActType',
  'SEND_EVENT: one of the events that `operatorActs` lists. MOVE: into a state of the lifecycle, as a transition would. RETRY_EFFECT: a failed effect gets all its attempts anew, under its old ID. GIVE_UP_EFFECT: a failed effect is deleted.',
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

interface Given {
  readonly act: 'SEND_EVENT' | 'MOVE' | 'RETRY_EFFECT' | 'GIVE_UP_EFFECT'
  readonly event?: string | null | undefined
  readonly payload?: unknown
  readonly state?: string | null | undefined
  readonly effectId?: string | null | undefined
}

/** The field that each kind of act needs. */
const needs = { SEND_EVENT: 'event', MOVE: 'state', RETRY_EFFECT: 'effectId', GIVE_UP_EFFECT: 'effectId' } as const

/** @throws Failure BAD_USER_INPUT where a field is missing, or is another act's */
function actOf(given: Given): OperatorAct {
  const needed = needs[given.act]
  for (const field of ['event', 'state', 'effectId'] as const) {
    if (field !== needed && (given[field] ?? null) !== null) throw wrong(field, `${given.act} takes ${needed} instead`)
  }
  const value = given[needed] ?? ''
  if (value === '') throw wrong(needed, `${given.act} needs it`)
  if (given.act !== 'SEND_EVENT') {
    if ((given.payload ?? null) !== null) throw wrong('payload', 'only an event carries one')
    return given.act === 'MOVE' ? { type: 'MOVE', state: value } : { type: given.act, effectId: value }
  }
  const payload = boundedJson(given.payload ?? {}, 'payload')
  if (payload === null || typeof payload !== 'object' || Array.isArray(payload))
    throw wrong('payload', 'must be an object')
  return { type: 'SEND', event: value, payload: payload as Readonly<Record<string, Json>> }
}

export function wrong(field: string, problem: string): Failure {
  return new Failure('BAD_USER_INPUT', `${field}: ${problem}.`, { details: { field, problem } })
}

export function refOf(actorId: string): ActorRef {
  // The schema has checked it.
  return { kind: kindOfId(actorId) ?? 'run', id: actorId }
}

export type OperatorMessage = Envelope & { readonly act: OperatorAct }

/** @throws Failure BAD_USER_INPUT where the effect is another actor's */
export function messageOf(actorId: string, given: Given, sequence?: number): OperatorMessage {
  const act = actOf(given)
  if ('effectId' in act && act.effectId.split(':')[0] !== actorId)
    throw wrong('effectId', `must be of an effect of ${actorId}`)
  const expected = sequence === undefined ? {} : { expectedSequence: sequence }
  return { to: refOf(actorId), event: eventOf(act), act, ...expected }
}
