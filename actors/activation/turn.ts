/** From a decided transition to the rows that make it durable, and to the state that it leads to. */
import { Members } from '../../machines/framework/members.ts'
import type { ActorEvent, ActorRow, JournalEntry, Json, Timer } from '../../spec/core/actor.ts'
import { encodeStepDetail } from '../../spec/core/stepDetail.ts'
import { effectDecision } from '../decide/acts.ts'
import { deriveColumns, expectationOf } from '../decide/columns.ts'
import type { Transition } from '../decide/decide.ts'
import type { Logic, PlannedAction } from '../decide/logic.ts'
import { documentChange } from '../decide/searchDocument.ts'
import type { NewEffect, Write } from '../ports/journal.ts'
import { applyTimers, earliestDue, endTimers, isTimerAction, nextLook, type TimerChange } from '../timers/timers.ts'
import { encodeSnapshot, type Live, plainContext, rowOf } from './live.ts'

/** One step of one actor, ready to be committed. */
export interface Turn {
  readonly write: Write
  readonly next: Live
  readonly row: ActorRow
  readonly step: JournalEntry
}

const redacted = '[redacted]'

/** @param owner the token of this process */
export function turnOf(logic: Logic, transition: Transition, owner: string): Turn {
  const { ref, before, state, actions, message, at } = transition
  const seq = (before?.seq ?? 0) + 1
  const standing = before === undefined ? [] : standingTimers(before.timers, transition.firedTimer)
  const timers = state.configuration.terminal ? endTimers(standing) : applyTimers(standing, actions, at, seq)
  const effects = effectsOf(logic, actions, ref.id, seq)
  const expectedBy = expectationOf(state, before, at)
  const columns = deriveColumns(logic, state, timers.timers, expectedBy)
  const due = earliestDue(timers.timers)
  const next: Live = {
    ref,
    seq,
    owner,
    machine: logic.machine,
    state,
    timers: timers.timers,
    expectedBy,
    nextDue: state.configuration.terminal ? undefined : nextLook(before?.nextDue, due, at),
    columns,
    createdAt: before?.createdAt ?? at,
    changedAt: at,
  }
  const context = plainContext(state.context)
  const step = stepOf(logic, transition, next, context, timers, effects)
  return {
    next,
    row: rowOf(next, context),
    step,
    write: {
      ref,
      expected: before === undefined ? 'absent' : { seq: before.seq, owner: before.owner },
      seq,
      machine: logic.machine,
      columns,
      nextDue: next.nextDue,
      snapshot: encodeSnapshot(next, context),
      init: before === undefined ? JSON.stringify(message.create) : undefined,
      at,
      entry: { event: step.event, detail: encodeStepDetail(step) },
      effects,
      members: memberChanges(before, next),
      consumes: message.consumes,
      decides: effectDecision(message),
      idempotency: message.idempotency && { ...message.idempotency, at },
      document: documentChange(logic, before?.state, state),
    },
  }
}

function standingTimers(timers: readonly Timer[], fired: string | undefined): readonly Timer[] {
  return fired === undefined ? timers : timers.filter((timer) => timer.id !== fired)
}

function effectsOf(logic: Logic, actions: readonly PlannedAction[], actorId: string, seq: number): NewEffect[] {
  const effects: NewEffect[] = []
  for (const action of actions) {
    if (isTimerAction(action)) continue
    if (action.type !== 'tell' && !logic.definition.effects.includes(action.type)) {
      throw new Error(`the ${logic.definition.kind} machine has an undeclared effect: ${action.type}`)
    }
    effects.push({ id: `${actorId}:${seq}:${effects.length}`, type: action.type, params: action.params as Json })
  }
  return effects
}

function memberChanges(before: Live | undefined, next: Live) {
  const members = next.state.context.members
  if (members === undefined) return []
  return members.changesSince(before?.state.context.members ?? Members.empty)
}

function stepOf(
  logic: Logic,
  { ref, before, from, event, message, at }: Transition,
  next: Live,
  context: Record<string, Json>,
  timers: TimerChange,
  effects: readonly NewEffect[],
): JournalEntry {
  const { origin } = message
  return {
    kind: ref.kind,
    id: ref.id,
    seq: next.seq,
    at,
    event: event.type,
    payload: payloadOf(logic, event),
    from: from ?? before?.state.configuration.value ?? null,
    to: next.state.configuration.value,
    status: next.columns.status,
    change: changeOf(logic, before, context),
    timers: { set: timers.set as Timer[], canceled: timers.canceled },
    effects: effects.map((effect) => ({ id: effect.id, type: effect.type, to: receiverOf(effect) })),
    cause: { type: origin.cause, id: origin.causeId, reason: origin.reason },
    principal: origin.principal,
    requestId: origin.requestId,
    machine: next.machine,
  }
}

function receiverOf(effect: NewEffect): string | undefined {
  return effect.type === 'tell' ? (effect.params as { to: { id: string } }).to.id : undefined
}

function payloadOf(logic: Logic, event: ActorEvent): Json {
  const { type, at: _at, ...payload } = event
  const secrets = logic.definition.redact?.events?.[type]
  if (secrets === undefined) return payload as Json
  return Object.fromEntries(
    Object.entries(payload).map(([key, value]) => [key, secrets.includes(key) ? redacted : value]),
  ) as Json
}

function changeOf(logic: Logic, before: Live | undefined, context: Record<string, Json>): Record<string, Json> {
  const old = before?.state.context
  const change: Record<string, Json> = {}
  for (const key in context) {
    if (old === undefined || old[key] !== context[key]) {
      change[key] = logic.definition.redact?.context?.includes(key) ? redacted : (context[key] ?? null)
    }
  }
  return change
}
