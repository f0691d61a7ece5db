import type { Envelope } from '../../../actors/messages.ts'
import type { ActorRef, Json } from '../../../spec/core/actor.ts'
import { Failure } from '../../../spec/core/failure.ts'
import { kindOfId } from '../../../spec/core/ids.ts'
import { eventOf, type OperatorAction } from '../../../spec/operators/operatorAction.ts'
import { boundedJson } from '../core/boundedJson.ts'

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
function actOf(given: Given): OperatorAction {
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

export type OperatorMessage = Envelope & { readonly act: OperatorAction }

/** @throws Failure BAD_USER_INPUT where the effect is another actor's */
export function messageOf(actorId: string, given: Given, sequence?: number): OperatorMessage {
  const act = actOf(given)
  if ('effectId' in act && act.effectId.split(':')[0] !== actorId)
    throw wrong('effectId', `must be of an effect of ${actorId}`)
  const expected = sequence === undefined ? {} : { expectedSequence: sequence }
  return { to: refOf(actorId), event: eventOf(act), act, ...expected }
}
