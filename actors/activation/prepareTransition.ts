/** Turns a decided transition into the write that makes it durable, and what it leads to: the snapshot, the row and the journal entry. */
import { Members } from '../../machines/framework/members.ts'
import type { ActorEvent, Json, Timer } from '../../spec/core/actor.ts'
import { encodeJournalDetail } from '../../spec/core/journalDetail.ts'
import type { AnyActorRow, AnyJournalEntry } from '../anyKind.ts'
import { deriveColumns, expectationOf } from '../decide/columns.ts'
import type { Transition } from '../decide/decide.ts'
import type { Logic, PlannedAction } from '../decide/logic.ts'
import { measurementChange } from '../decide/measurement.ts'
import { effectDecision } from '../decide/operatorActions.ts'
import { documentChange } from '../decide/searchDocument.ts'
import type { NewEffect, Write } from '../ports/journal.ts'
import { applyTimers, earliestDue, endTimers, isTimerAction, nextCheck, type TimerChange } from '../timers/timers.ts'
import { encodeSnapshot, plainContext, type Snapshot, toActorRow } from './snapshot.ts'

export interface PreparedTransition {
  readonly write: Write
  readonly after: Snapshot
  readonly row: AnyActorRow
  readonly entry: AnyJournalEntry
}

const redacted = '[redacted]'

/** @param owner the token of this process */
export function prepareTransition(logic: Logic, transition: Transition, owner: string): PreparedTransition {
  const { ref, before, state, actions, message, at } = transition
  const seq = (before?.seq ?? 0) + 1
  const current = before === undefined ? [] : withoutFiredTimer(before.timers, transition.firedTimer)
  const timers = state.configuration.terminal ? endTimers(current) : applyTimers(current, actions, at, seq)
  const effects = listEffects(logic, actions, ref.id, seq)
  const expectedBy = expectationOf(state, before, at)
  const columns = deriveColumns(logic, state, timers.timers, expectedBy)
  const due = earliestDue(timers.timers)
  const after: Snapshot = {
    ref,
    seq,
    owner,
    machine: logic.machine,
    state,
    timers: timers.timers,
    expectedBy,
    nextDue: state.configuration.terminal ? undefined : nextCheck(before?.nextDue, due, at),
    columns,
    createdAt: before?.createdAt ?? at,
    changedAt: at,
  }
  const context = plainContext(state.context)
  const entry = toJournalEntry(logic, transition, after, context, timers, effects)
  return {
    after,
    row: toActorRow(after, context),
    entry,
    write: {
      ref,
      expected: before === undefined ? 'absent' : { seq: before.seq, owner: before.owner },
      seq,
      machine: logic.machine,
      columns,
      nextDue: after.nextDue,
      snapshot: encodeSnapshot(after, context),
      init: before === undefined ? JSON.stringify(message.create) : undefined,
      at,
      entry: { event: entry.event, detail: encodeJournalDetail(entry) },
      effects,
      members: listMemberChanges(before, after),
      consumes: message.consumes,
      decides: effectDecision(message),
      idempotency: message.idempotency && { ...message.idempotency, at },
      document: documentChange(logic, before?.state, state),
      measurement: measurementChange(logic, before?.state, state),
    },
  }
}

function withoutFiredTimer(timers: readonly Timer[], fired: string | undefined): readonly Timer[] {
  return fired === undefined ? timers : timers.filter((timer) => timer.id !== fired)
}

function listEffects(logic: Logic, actions: readonly PlannedAction[], actorId: string, seq: number): NewEffect[] {
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

function listMemberChanges(before: Snapshot | undefined, after: Snapshot) {
  const members = after.state.context.members
  if (members === undefined) return []
  return members.changesSince(before?.state.context.members ?? Members.empty)
}

function toJournalEntry(
  logic: Logic,
  { ref, before, from, event, message, at }: Transition,
  after: Snapshot,
  context: Record<string, Json>,
  timers: TimerChange,
  effects: readonly NewEffect[],
): AnyJournalEntry {
  const { origin } = message
  return {
    kind: ref.kind,
    id: ref.id,
    seq: after.seq,
    at,
    event: event.type,
    payload: redactPayload(logic, event),
    from: from ?? before?.state.configuration.value ?? null,
    to: after.state.configuration.value,
    status: after.columns.status,
    change: diffContext(logic, before, context),
    timers: { set: timers.set as Timer[], canceled: timers.canceled },
    effects: effects.map((effect) => ({ id: effect.id, type: effect.type, to: getReceiver(effect) })),
    cause: { type: origin.cause, id: origin.causeId, reason: origin.reason },
    principal: origin.principal,
    requestId: origin.requestId,
    machine: after.machine,
  }
}

function getReceiver(effect: NewEffect): string | undefined {
  return effect.type === 'tell' ? (effect.params as { to: { id: string } }).to.id : undefined
}

function redactPayload(logic: Logic, event: ActorEvent): Json {
  const { type, at: _at, ...payload } = event
  const secrets = logic.definition.redact?.events?.[type]
  if (secrets === undefined) return payload as Json
  return Object.fromEntries(
    Object.entries(payload).map(([key, value]) => [key, secrets.includes(key) ? redacted : value]),
  ) as Json
}

function diffContext(logic: Logic, before: Snapshot | undefined, context: Record<string, Json>): Record<string, Json> {
  const old = before?.state.context
  const change: Record<string, Json> = {}
  for (const key in context) {
    if (old === undefined || old[key] !== context[key]) {
      change[key] = logic.definition.redact?.context?.includes(key) ? redacted : (context[key] ?? null)
    }
  }
  return change
}
