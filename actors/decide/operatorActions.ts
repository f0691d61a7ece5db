/** Validates operator actions, and derives what the commit records for an action on a failed effect. */
import type { OperatorEvent } from '../../machines/framework/define.ts'
import { Failure } from '../../spec/core/failure.ts'
import { type OperatorAction, operatorActionField } from '../../spec/operators/operatorAction.ts'
import { type Snapshot, toActorRow } from '../activation/snapshot.ts'
import type { AnyAcceptedOperatorActions, AnyDefinition } from '../anyKind.ts'
import type { EffectDecision } from '../ports/journal.ts'
import type { Logic } from './logic.ts'
import type { Message } from './message.ts'

/**
 * Returns why the operator action is not possible for this actor. Whether its state accepts the event is decided afterwards, as for any
 * message.
 */
export function refuseOperatorAction(
  { definition, forcedTransitionTargets, kindOfId }: Logic,
  snapshot: Snapshot,
  action: OperatorAction,
): Failure | undefined {
  const isOnEffect = action.type === 'RETRY_EFFECT' || action.type === 'GIVE_UP_EFFECT'
  const failure = refuseKind(definition) ?? (isOnEffect ? undefined : refuseTerminal(snapshot))
  if (failure !== undefined || isOnEffect) return failure
  if (action.type === 'FORCE_TRANSITION') {
    const states = forcedTransitionTargets.map(({ state }) => state)
    return states.includes(action.state) ? undefined : notOffered(action, 'state', definition.kind, states)
  }
  const { operatorEvents = {} } = definition
  // Callers choose these names: `constructor` must not be found on the prototype.
  const offered = Object.hasOwn(operatorEvents, action.event) ? operatorEvents[action.event] : undefined
  if (offered === undefined) return notOffered(action, 'event', definition.kind, Object.keys(operatorEvents))
  return refuseIds(action, offered, kindOfId)
}

/** The operator actions that are possible in the actor's present state. */
export function listAcceptedActions(
  { definition, forcedTransitionTargets }: Logic,
  snapshot: Snapshot,
): AnyAcceptedOperatorActions {
  const { operable, operatorEvents = {} } = definition
  const accepted = snapshot.state.configuration.acceptedEvents
  const refusal = refuseKind(definition) ?? refuseTerminal(snapshot)
  const events = Object.entries(operatorEvents)
    .filter(([event]) => accepted.includes(event))
    .map(([event, { label, ids = {} }]) => ({ event, label, ids }))
  const offered = refusal === undefined ? { events, states: forcedTransitionTargets } : { events: [], states: [] }
  return { row: toActorRow(snapshot), operable, refusal, ...offered }
}

/** The value that the commit records with a failed effect: the failure was reported to the actor, or the operator has decided. */
export function effectDecision({ operatorAction, reportsFailure }: Message): EffectDecision | undefined {
  if (reportsFailure !== undefined) return { effectId: reportsFailure, decision: 'reportFailure' }
  if (operatorAction?.type === 'RETRY_EFFECT') return { effectId: operatorAction.effectId, decision: 'retry' }
  return operatorAction?.type === 'GIVE_UP_EFFECT'
    ? { effectId: operatorAction.effectId, decision: 'giveUp' }
    : undefined
}

function refuseKind({ kind, operable }: AnyDefinition): Failure | undefined {
  if (operable) return undefined
  return new Failure('FAILED_PRECONDITION', `Actors of the kind ${kind} accept no operator actions.`, {
    details: { kind },
  })
}

function refuseTerminal({ ref, columns }: Snapshot): Failure | undefined {
  if (!columns.terminal) return undefined
  return new Failure('FAILED_PRECONDITION', `The ${ref.kind} is ${columns.status}, which is a terminal state.`, {
    details: { id: ref.id, state: columns.status },
  })
}

type SendEvent = Extract<OperatorAction, { readonly type: 'SEND_EVENT' }>

/** The action must have each ID that the event requires, once and of one of its kinds, and no others. */
function refuseIds(
  action: SendEvent,
  { ids: required = {} }: OperatorEvent,
  kindOfId: Logic['kindOfId'],
): Failure | undefined {
  const { event, ids } = action
  const names = Object.keys(required)
  for (const [index, { name, id }] of ids.entries()) {
    const kinds = Object.hasOwn(required, name) ? required[name] : undefined
    if (kinds === undefined) {
      const problem = names.length === 0 ? `${event} requires no IDs` : `${event} requires only ${names.join(', ')}`
      return badInput(action, `ids.${index}.name`, problem)
    }
    if (ids.findIndex((other) => other.name === name) < index) {
      return badInput(action, `ids.${index}.name`, `${name} occurs twice`)
    }
    if (!kinds.some((kind) => kindOfId(id) === kind))
      return badInput(action, `ids.${index}.id`, `must be an ID of kind ${kinds.join(' or ')}`)
  }
  const missing = names.filter((name) => !ids.some((given) => given.name === name))
  return missing.length === 0 ? undefined : badInput(action, 'ids', `${event} requires ${missing.join(', ')}`)
}

function notOffered(
  action: Exclude<OperatorAction, { readonly effectId: string }>,
  field: 'event' | 'state',
  kind: string,
  known: readonly string[],
): Failure {
  const missing =
    action.type === 'SEND_EVENT' ? `operator event "${action.event}"` : `state "${action.state}" for forced transitions`
  const list = known.length === 0 ? 'none' : known.join(', ')
  return badInput(action, field, `the kind ${kind} has no ${missing}. It has: ${list}`, known)
}

function badInput(action: OperatorAction, field: string, problem: string, known?: readonly string[]): Failure {
  const path = operatorActionField(action, field)
  return new Failure('BAD_USER_INPUT', `${path}: ${problem}.`, {
    details: { field: path, problem, ...(known === undefined ? {} : { known }) },
  })
}
