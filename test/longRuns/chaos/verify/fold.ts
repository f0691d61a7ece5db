/**
 * Folds each journal through the pure machine, from its first entry, and compares the result with the stored data: the entry
 * itself after every transition, and snapshot, columns, members and timers at the end.
 */
import { isDeepStrictEqual } from 'node:util'
import { prepareTransition } from '../../../../actors/activation/prepareTransition.ts'
import type { Snapshot } from '../../../../actors/activation/snapshot.ts'
import { decideTimer, type Transition } from '../../../../actors/decide/decide.ts'
import { compile, type Logic } from '../../../../actors/decide/logic.ts'
import type { Origin } from '../../../../actors/messages.ts'
import { machines } from '../../../../machines/machines.ts'
import type { ActorEvent, JournalEntry, Json } from '../../../../spec/core/actor.ts'
import type { ActorKind } from '../../../../spec/core/ids.ts'
import { decodeJournalDetail } from '../../../../spec/core/journalDetail.ts'
import { forcedTransitionEvent } from '../../../../spec/operators/operatorAction.ts'
import { type ActorRecord, columnsOf } from '../../../../storage/sql/rows.ts'
import type { Sql } from '../database/sql.ts'
import type { Checker } from './evidence.ts'

const page = 2_000

type StepRow = {
  actor: string
  seq: number
  at: number
  kind: ActorKind
  event: string
  status: string
  detail: string
  owner: string
}
type Stored = ActorRecord & { members: string | null }

/** Uses one snapshot of the database, since timers still cause transitions after the load. */
export const journalsFold: Checker = async ({ sql }) =>
  await sql.begin('isolation level repeatable read read only', problemsIn)

async function problemsIn(tx: Pick<Sql, 'unsafe'>): Promise<readonly string[]> {
  const actors = new Map((await tx.unsafe<Stored[]>(actorSql)).map((row) => [row.id, row]))
  const problems: string[] = []
  const seen = new Set<string>()
  for await (const steps of journals(tx)) {
    const [first] = steps
    if (first === undefined) continue
    seen.add(first.actor)
    const actor = actors.get(first.actor)
    const found = actor === undefined ? ['it has a journal and is not stored'] : foldOne(actor, steps)
    problems.push(...found.map((what) => `${first.actor}: ${what}`))
  }
  for (const id of actors.keys()) if (!seen.has(id)) problems.push(`${id}: it is stored and has no journal`)
  return problems
}

const logics = new Map<ActorKind, Logic>()

function logicOf(kind: ActorKind): Logic {
  const logic = logics.get(kind) ?? compile(machines[kind])
  logics.set(kind, logic)
  return logic
}

function foldOne(actor: Stored, steps: readonly StepRow[]): string[] {
  const logic = logicOf(actor.kind)
  let snapshot: Snapshot | undefined
  for (const [index, row] of steps.entries()) {
    if (row.seq !== index + 1) return [`transition ${index + 1} of its journal has the sequence ${row.seq}`]
    const step: JournalEntry = {
      ...decodeJournalDetail(row.detail),
      kind: row.kind,
      id: row.actor,
      seq: row.seq,
      at: row.at,
      event: row.event,
      status: row.status,
    }
    try {
      const transition = transitionOf(logic, actor, snapshot, step)
      if (transition === undefined) return [`the timer "${row.event}" of transition ${row.seq} was not set`]
      const prepared = prepareTransition(logic, transition, row.owner)
      const difference = differs(logic, prepared.entry as JournalEntry, step)
      if (difference !== undefined) return [`transition ${row.seq} (${row.event}) ${difference}`]
      snapshot = prepared.after
    } catch (error) {
      return [`transition ${row.seq} (${row.event}) cannot be repeated: ${String(error)}`]
    }
  }
  return snapshot === undefined ? [] : differsAtRest(logic, snapshot, actor)
}

/** Decides the transition again from its journal entry: the event with its payload, at its time. */
function transitionOf(
  logic: Logic,
  actor: Stored,
  snapshot: Snapshot | undefined,
  step: JournalEntry,
): Transition | undefined {
  const { cause, at } = step
  const origin = {
    cause: cause.type,
    causeId: cause.id,
    reason: cause.reason,
    principal: step.principal,
    requestId: step.requestId,
    receivedAt: at,
  } as Origin
  const event = { ...(step.payload as Record<string, Json>), type: step.event, at } as ActorEvent
  const common = { ref: { kind: actor.kind, id: actor.id }, event, firedTimer: undefined, at }
  if (snapshot === undefined) {
    const init = JSON.parse(actor.init) as Record<string, Json>
    const [state, actions] = logic.first({ id: actor.id, init, at })
    return { ...common, before: undefined, state, actions, message: { event, create: init, origin } }
  }
  if (cause.type === 'timer' && cause.id?.includes('@') === true) {
    const timer = snapshot.timers.find(({ id, setBy }) => `${id}@${setBy}` === cause.id)
    return timer === undefined ? undefined : decideTimer(logic, snapshot, timer.due, at, origin)
  }
  const message = { event, origin }
  const [state, actions] =
    step.event === forcedTransitionEvent
      ? logic.forceTransition(snapshot.state, event)
      : logic.accepts(snapshot.state, event)
        ? logic.next(snapshot.state, event)
        : ([snapshot.state, []] as const)
  return { ...common, before: snapshot, state, actions, message }
}

function differs({ definition }: Logic, made: JournalEntry, stored: JournalEntry): string | undefined {
  const secret = new Set(definition.redact?.context ?? [])
  // The journal does not have the redacted values.
  const plain = (change: Json): unknown =>
    Object.fromEntries(Object.entries(change as Record<string, Json>).filter(([key]) => !secret.has(key)))
  if (made.status !== stored.status) return `leads to ${made.status}, and the journal has ${stored.status}`
  if (!same(made.from, stored.from)) return 'begins in another state than the journal has'
  if (!same(made.to, stored.to)) return 'leads to another state than the journal has'
  if (!same(plain(made.change), plain(stored.change))) {
    return `changes ${JSON.stringify(made.change).slice(0, 300)}, and the journal has ${JSON.stringify(stored.change).slice(0, 300)}`
  }
  if (!same(made.timers, stored.timers)) return 'sets other timers than the journal has'
  if (!same(made.effects, stored.effects)) return 'has other effects than the journal has'
  return undefined
}

function differsAtRest({ definition }: Logic, snapshot: Snapshot, actor: Stored): string[] {
  const problems: string[] = []
  const { value, context, timers } = JSON.parse(actor.snapshot) as {
    value: Json
    context: Record<string, Json>
    timers: Json
  }
  const { init: _init, members, ...plain } = snapshot.state.context
  const secret = new Set(definition.redact?.context ?? [])
  const open = (all: Readonly<Record<string, unknown>>): unknown =>
    Object.fromEntries(Object.entries(all).filter(([key]) => !secret.has(key)))
  if (actor.seq !== snapshot.seq) problems.push(`it is at ${actor.seq}, and its journal ends with ${snapshot.seq}`)
  else if (actor.owner !== snapshot.owner) problems.push('its last transition has another owner than its snapshot')
  if (!same(value, snapshot.state.configuration.value))
    problems.push('its snapshot is in other states than its journal leads to')
  if (!same(open(context), open(plain))) problems.push('its snapshot has another context than its journal leads to')
  if (!same(timers, snapshot.timers))
    problems.push(
      `its snapshot has the timers ${JSON.stringify(timers)}, and its journal leads to ${JSON.stringify(snapshot.timers)}`,
    )
  const { uniqueKey: _unique, otherKey: _other, ...columns } = columnsOf(actor)
  const { uniqueKey: _madeUnique, otherKey: _madeOther, ...made } = snapshot.columns
  if (!same(columns, made))
    problems.push(`its columns are ${JSON.stringify(columns)}, and its journal leads to ${JSON.stringify(made)}`)
  const earliest = snapshot.timers.reduce((least, { due }) => Math.min(least, due), Number.POSITIVE_INFINITY)
  if (!actor.terminal && earliest < (actor.next_due ?? Number.POSITIVE_INFINITY)) {
    problems.push(
      `its timer is due at ${earliest}, and storage finds it ${actor.next_due === null ? 'never' : `at ${actor.next_due}`}`,
    )
  }
  const kept = JSON.parse(actor.members ?? '[]') as [string, Json][]
  if (!same(kept, [...(members?.entries() ?? [])]))
    problems.push('its members differ from those that its journal leads to')
  return problems
}

/** Compares as JSON, in which undefined fields are absent. */
function same(a: unknown, b: unknown): boolean {
  return isDeepStrictEqual(a, b) || isDeepStrictEqual(jsonOf(a), jsonOf(b))
}

function jsonOf(value: unknown): unknown {
  return value === undefined ? undefined : JSON.parse(JSON.stringify(value))
}

const actorSql = `
  select a.*, (
    select json_agg(json_build_array(m.key, m.value::json) order by m.key)::text from member m where m.actor = a.id
  ) as members
  from actor a`

/** Yields one complete journal after the other. */
async function* journals(tx: Pick<Sql, 'unsafe'>): AsyncGenerator<readonly StepRow[]> {
  let steps: StepRow[] = []
  const all = tx.unsafe<StepRow[]>(
    'select actor, seq, at, kind, event, status, detail, owner from journal order by actor, seq',
  )
  for await (const rows of all.cursor(page)) {
    for (const row of rows) {
      if (steps[0] !== undefined && steps[0].actor !== row.actor) {
        yield steps
        steps = []
      }
      steps.push(row)
    }
  }
  yield steps
}
