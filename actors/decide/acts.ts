/** Validates operator actions, and derives what the commit records for an action on a failed effect. */
import type { OperatorEvent } from '../../machines/framework/define.ts'
import { Failure } from '../../spec/core/failure.ts'
import { kindOfId } from '../../spec/core/ids.ts'
import type { OperatorAction } from '../../spec/operators/operatorAction.ts'
import type { ActMenu } from '../../spec/operators/operatorDesk.ts'
import { type Snapshot, toActorRow } from '../activation/snapshot.ts'
import type { EffectDecision } from '../ports/journal.ts'
import type { Logic } from './logic.ts'
import type { Message } from './message.ts'

/**
 * Returns why the operator action is not possible for this actor. Whether its state accepts the event is decided afterwards, as for any
 * message.
 */
export function refusedAct(
  { definition, places }: Logic,
  snapshot: Snapshot,
  act: OperatorAction,
): Failure | undefined {
  const { kind, operable, operatorEvents = {} } = definition
  if (!operable) return new Failure('FAILED_PRECONDITION', `A ${kind} takes no acts of operators.`)
  if (act.type === 'RETRY_EFFECT' || act.type === 'GIVE_UP_EFFECT') return undefined
  if (snapshot.columns.terminal) {
    return new Failure(
      'FAILED_PRECONDITION',
      `The ${kind} is ${snapshot.columns.status}, and nothing leaves that state.`,
    )
  }
  if (act.type === 'MOVE') {
    const states = places.map(({ state }) => state)
    return states.includes(act.state) ? undefined : noSuch(kind, 'state', act.state, states)
  }
  // Callers choose these names: `constructor` must not be found on the prototype.
  const form = Object.hasOwn(operatorEvents, act.event) ? operatorEvents[act.event] : undefined
  if (form === undefined) return noSuch(kind, 'event', act.event, Object.keys(operatorEvents))
  return wrongPayload(act.event, form, act.payload)
}

/** The operator actions that are possible in the actor's present state. */
export function menuOf({ definition, places }: Logic, snapshot: Snapshot): ActMenu {
  const { operable, operatorEvents = {} } = definition
  const accepted = snapshot.state.configuration.acceptedEvents
  const open = operable && !snapshot.columns.terminal
  const events = Object.entries(operatorEvents)
    .filter(([event]) => accepted.includes(event))
    .map(([event, { label, ids = {} }]) => ({ event, label, ids }))
  return { row: toActorRow(snapshot), operable, events: open ? events : [], states: open ? places : [] }
}

/** The record in the commit about a failed effect: that the failure was reported to the actor, or the operator's decision. */
export function effectDecision({ act, reportsFailure }: Message): EffectDecision | undefined {
  if (reportsFailure !== undefined) return { effectId: reportsFailure, decision: 'reportFailure' }
  if (act?.type === 'RETRY_EFFECT') return { effectId: act.effectId, decision: 'retry' }
  return act?.type === 'GIVE_UP_EFFECT' ? { effectId: act.effectId, decision: 'giveUp' } : undefined
}

/** The payload must have each named ID, of its kind, and nothing else. */
function wrongPayload(event: string, { ids = {} }: OperatorEvent, payload: Readonly<Record<string, unknown>>) {
  const strange = Object.keys(payload).find((key) => !Object.hasOwn(ids, key))
  if (strange !== undefined) {
    const known = Object.keys(ids)
    const carries = known.length === 0 ? 'nothing' : known.join(', ')
    return wrong(`payload.${strange}`, `${event} carries ${carries}`)
  }
  for (const [key, kind] of Object.entries(ids)) {
    const given = payload[key]
    if (typeof given !== 'string' || kindOfId(given) !== kind) return wrong(`payload.${key}`, `the ID of a ${kind}`)
  }
  return undefined
}

function wrong(field: string, right: string): Failure {
  return new Failure('BAD_USER_INPUT', `${field}: ${right}.`, { details: { field, problem: right } })
}

function noSuch(kind: string, field: 'state' | 'event', given: string, known: readonly string[]): Failure {
  const what = field === 'state' ? 'can be moved to' : 'takes of operators'
  const list = known.length === 0 ? 'none' : known.join(', ')
  return new Failure('BAD_USER_INPUT', `${field}: a ${kind} has no ${field} "${given}". It ${what}: ${list}.`, {
    details: { field, known },
  })
}
