/**
 * The table of every (machine, state, event) → next state, repeated or refused, found by walking each machine from its start
 * with the sample events. `node test/machines/goldenTables.ts` writes it; the test compares.
 */
import { writeFile } from 'node:fs/promises'
import type { Definition, MachineContext } from '../../machines/framework/define.ts'
import { machines } from '../../machines/machines.ts'
import type { ActorEvent, Json } from '../../spec/core/actor.ts'
import type { ActorKind } from '../../spec/core/ids.ts'
import {
  applyEvent,
  begin,
  canceledOf,
  delaysOf,
  type PlannedAction,
  type Result,
  type Snapshot,
  tellsOf,
} from '../kit/runtime/applyEvent.ts'
import { at, events, inits, openings, otherInits } from '../kit/runtime/samples/samples.ts'

export type Table = Record<string, Record<string, string>>

export const goldenFile = (kind: string): URL => new URL(`./golden/${kind}.json`, import.meta.url)

interface Visit {
  readonly snapshot: Snapshot
  readonly timers: readonly string[]
}

/** The states of all regions, so that combinations of parallel states are different rows. */
function nameOf(snapshot: Snapshot): string {
  const value = snapshot.state.configuration.value
  if (typeof value === 'string') return value
  return Object.entries(value as Record<string, Json>)
    .map(([region, state]) => `${region}: ${typeof state === 'string' ? state : JSON.stringify(state)}`)
    .join(' · ')
}

function timersAfter(before: readonly string[], actions: readonly PlannedAction[]): readonly string[] {
  const canceled = new Set(canceledOf(actions))
  return [...before.filter((timer) => !canceled.has(timer)), ...delaysOf(actions).map(({ event }) => event)]
}

export interface Tried {
  /** All regions of the state that it was tried in. */
  readonly state: string
  readonly from: Snapshot
  /** The event's name among the samples. */
  readonly name: string
  readonly event: ActorEvent
  readonly result: Result
}

/** An actor after its creation and the events that always follow it. */
function openActor(kind: ActorKind, id: string, init = inits[kind]): Visit {
  const created = begin(machines[kind], { id, init, at })
  let visit: Visit = { snapshot: created.snapshot, timers: timersAfter([], created.actions) }
  for (const event of openings[kind] ?? []) {
    const result = applyEvent(machines[kind], visit.snapshot, { ...event, at })
    if (result.type !== 'accepted') throw new Error(`${id} does not take ${event.type}: ${JSON.stringify(result)}`)
    visit = { snapshot: result.snapshot, timers: timersAfter(visit.timers, result.actions) }
  }
  return visit
}

/** The outcome of every event in every state. Contexts vary within a combination of states, so the first path that reaches it represents it. */
export function* tryAll(kind: ActorKind): Generator<Tried> {
  const definition = machines[kind]
  const id = `${kind === 'worktree' ? 'wt' : 'x'}_1`
  const seen = new Map<string, Visit>()
  for (const init of [inits[kind], ...(otherInits[kind] ?? [])]) {
    const first = openActor(kind, id, init)
    if (!seen.has(nameOf(first.snapshot))) seen.set(nameOf(first.snapshot), first)
  }
  for (const [state, visit] of seen) {
    const offered: [string, ActorEvent][] = [
      ...Object.entries(events[kind]).map(([name, payload]): [string, ActorEvent] => [
        name,
        { type: name.split(' ')[0] ?? name, at: at + 10, ...payload },
      ]),
      ...visit.timers.map((timer): [string, ActorEvent] => [timer, { type: timer, at: at + 10 }]),
    ]
    for (const [name, event] of offered) {
      const result = applyEvent(definition, visit.snapshot, event)
      yield { state, from: visit.snapshot, name, event, result }
      if (result.type !== 'accepted') continue
      const next = nameOf(result.snapshot)
      if (!seen.has(next))
        seen.set(next, { snapshot: result.snapshot, timers: timersAfter(visit.timers, result.actions) })
    }
  }
}

export function tableOf(kind: ActorKind): Table {
  const table: Table = {}
  for (const { state, from, name, result } of tryAll(kind)) {
    table[state] ??= {}
    table[state][name] = outcomeOf(machines[kind], from, result)
  }
  return table
}

function outcomeOf(definition: Definition, from: Snapshot, result: Result): string {
  if (result.type === 'repeated') return 'repeated'
  if (result.type === 'refused') return `refused ${result.code}`
  const said = tellsOf(result.actions).map((tell) => `${tell.to.kind}.${tell.create ? 'create' : tell.event.type}`)
  const columns = definition.columns?.({
    value: result.snapshot.state.configuration.value,
    context: result.snapshot.state.context as MachineContext,
  })
  const next = nameOf(result.snapshot)
  const shown = columns?.status === undefined ? next : `${next} (${columns.status})`
  return `${next === nameOf(from) ? 'stays' : `→ ${shown}`}${said.length > 0 ? `; tells ${said.join(', ')}` : ''}`
}

if (process.argv[1] !== undefined && import.meta.url === new URL(process.argv[1], 'file:').href) {
  for (const kind of Object.keys(machines) as ActorKind[]) {
    await writeFile(goldenFile(kind), `${JSON.stringify(tableOf(kind), null, 2)}\n`)
  }
}
