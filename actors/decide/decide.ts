/**
 * Decides what a message does to an actor. It is a pure function of the state and the message: it writes and sends nothing. The result is
 * one of three: a transition to commit, the repeat of one that was committed before, or a refusal.
 */
import type { ActorEvent, Json } from '../../spec/core/actor.ts'
import { Failure } from '../../spec/core/failure.ts'
import type { OperatorAction } from '../../spec/operators/operatorAction.ts'
import type { Snapshot } from '../activation/snapshot.ts'
import type { AnyActorRef } from '../anyKind.ts'
import type { Origin } from '../messages.ts'
import { firstDue } from '../timers/timers.ts'
import type { Logic, MachineState, PlannedAction } from './logic.ts'
import type { Message } from './message.ts'
import { refuseOperatorAction } from './operatorActions.ts'

/** Why an actor cannot be created: `details.reason` of the refusal. */
export const conflicts = Object.freeze({ exists: 'ID_EXISTS', taken: 'NAME_TAKEN' })

/** A transition that was decided and is not yet durable. */
export interface Transition {
  readonly ref: AnyActorRef
  readonly before: Snapshot | undefined
  /** The state value as an earlier version of the machine wrote it. Set only if it differs from that of `before`. */
  readonly from?: Json
  readonly state: MachineState
  readonly actions: readonly PlannedAction[]
  readonly event: ActorEvent
  readonly message: Message
  /** The timer that this transition fires. The transition removes it from the list of timers. */
  readonly firedTimer: string | undefined
  readonly at: number
}

export type Decision =
  | { readonly type: 'transition'; readonly transition: Transition }
  /** The event was processed before. The reply is the present state. */
  | { readonly type: 'repeated'; readonly snapshot: Snapshot }
  | { readonly type: 'refused'; readonly failure: Failure }

/** @param at the time of the transition, milliseconds since 1970 */
export function decide(
  logic: Logic,
  ref: AnyActorRef,
  snapshot: Snapshot | undefined,
  message: Message,
  at: number,
): Decision {
  if (snapshot === undefined) {
    if (message.create === undefined) return refused(new Failure('NOT_FOUND', `There is no ${ref.kind} ${ref.id}.`))
    const [state, actions] = logic.first({ id: ref.id, init: message.create, at })
    return transition({
      ref,
      before: undefined,
      state,
      actions,
      event: message.event,
      message,
      firedTimer: undefined,
      at,
    })
  }
  const event: ActorEvent = { ...message.event, at }
  const view = { value: snapshot.state.configuration.value, context: snapshot.state.context }
  if (message.create !== undefined) {
    return refused(
      new Failure('CONFLICT', `The ${ref.kind} ${ref.id} exists already.`, { details: { reason: conflicts.exists } }),
    )
  }
  if (message.expectedSequence !== undefined && message.expectedSequence !== snapshot.seq) {
    return refused(
      new Failure(
        'CONFLICT',
        `${ref.id} has changed: its sequence is ${snapshot.seq}, not ${message.expectedSequence}. Read it again.`,
        {
          details: { sequence: snapshot.seq, expectedSequence: message.expectedSequence },
        },
      ),
    )
  }
  const { operatorAction } = message
  if (operatorAction !== undefined) {
    const failure = refuseOperatorAction(logic, snapshot, operatorAction)
    if (failure !== undefined) return refused(failure)
    if (operatorAction.type !== 'SEND_EVENT') {
      const [state, actions] = applyOperatorAction(logic, snapshot, operatorAction, event)
      return transition({ ref, before: snapshot, state, actions, event, message, firedTimer: undefined, at })
    }
  }
  if (logic.definition.repeats?.(view, event) === true) return { type: 'repeated', snapshot }
  if (snapshot.columns.terminal) return refused(unaccepted(snapshot, event, []))
  const failure = logic.definition.refuse?.(view, event)
  if (failure !== undefined) return refused(failure)
  if (!logic.accepts(snapshot.state, event))
    return refused(unaccepted(snapshot, event, snapshot.state.configuration.acceptedEvents))
  const [state, actions] = logic.next(snapshot.state, event)
  return transition({ ref, before: snapshot, state, actions, event, message, firedTimer: undefined, at })
}

/**
 * Decides the transition of the first timer that is due at `dueBy`, if there is one. Deadlines are also checked against the time at which a
 * message was received. So an actor's due timers fire before any message that was received after them.
 */
export function decideTimer(
  logic: Logic,
  snapshot: Snapshot,
  dueBy: number,
  at: number,
  origin: Origin,
): Transition | undefined {
  if (snapshot.columns.terminal) return undefined
  const timer = firstDue(snapshot.timers, dueBy)
  if (timer === undefined) return undefined
  const event: ActorEvent = { type: timer.event, at }
  const message: Message = { event, origin: { ...origin, cause: 'timer', causeId: `${timer.id}@${timer.setBy}` } }
  // A guard may block the transition. The timer is removed nevertheless, or it would fire again without end.
  const [state, actions] = logic.accepts(snapshot.state, event)
    ? logic.next(snapshot.state, event)
    : [snapshot.state, []]
  return { ref: snapshot.ref, before: snapshot, state, actions, event, message, firedTimer: timer.id, at }
}

/**
 * The machine receives an operator action on an effect only if its chart counts such effects. This is also true for a terminal actor. The
 * transition is committed in any case.
 */
function applyOperatorAction(logic: Logic, { state }: Snapshot, { type }: OperatorAction, event: ActorEvent) {
  if (type === 'FORCE_TRANSITION') return logic.forceTransition(state, event)
  const view = { value: state.configuration.value, context: state.context }
  const known = logic.definition.repeats?.(view, event) === true
  return !known && logic.accepts(state, event) ? logic.next(state, event) : ([state, []] as const)
}

function transition(transition: Transition): Decision {
  return { type: 'transition', transition }
}

function refused(failure: Failure): Decision {
  return { type: 'refused', failure }
}

/** The names of the events are only in the details: they are those of the machine, and not of the caller's request. */
function unaccepted(snapshot: Snapshot, event: ActorEvent, acceptedEvents: readonly string[]): Failure {
  const status = snapshot.columns.status
  const explanation = snapshot.columns.terminal
    ? ' and does not change any more, so this request is not possible.'
    : ', and this request is not possible in that state. Read it again, and repeat the request when its state allows it.'
  return new Failure('FAILED_PRECONDITION', `The ${snapshot.ref.kind} is ${status}${explanation}`, {
    details: { id: snapshot.ref.id, state: status, event: event.type, acceptedEvents },
  })
}
