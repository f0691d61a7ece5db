/** What reads filter by, derived from the state that a step led to. */
import type { AnyMachineSnapshot } from 'xstate'
import type { MachineContext, StateMeta } from '../machines/define.ts'
import type { Columns, Json, Timer } from '../spec/actor.ts'
import type { Logic } from './logic.ts'

/** A deadline that has passed by so much, in milliseconds, and still has not ended its state counts as stuck. */
const deadlineGraceMs = 10_000

/** @param expectedBy when the present states will have lasted longer than expected, milliseconds since 1970 */
export function deriveColumns(
  logic: Logic,
  snapshot: AnyMachineSnapshot,
  timers: readonly Timer[],
  expectedBy: number | undefined,
): Columns {
  const context = snapshot.context as MachineContext
  const own = logic.definition.columns?.({ value: snapshot.value as Json, context })
  const terminal = snapshot.hasTag('terminal')
  const incidents = typeof context.incidents === 'number' ? context.incidents : 0
  return {
    ...own,
    status: incidents > 0 && !terminal ? 'INCIDENT' : (own?.status ?? statusOf(snapshot.value as Json)),
    terminal,
    incidents,
    stuckAt: terminal ? undefined : earliest(expectedBy, ...timers.map((timer) => timer.due + deadlineGraceMs)),
    unwatched: !terminal && timers.length === 0 && !logic.metas(snapshot).some(isWatched),
  }
}

function isWatched(meta: StateMeta): boolean {
  return meta.lease !== undefined || meta.unbounded !== undefined
}

function earliest(...times: readonly (number | undefined)[]): number | undefined {
  const least = Math.min(...times.map((time) => time ?? Number.POSITIVE_INFINITY))
  return Number.isFinite(least) ? least : undefined
}

/** The clock of an expectation runs from the entry of the state: a step that stays in it keeps what was set. */
export function expectationOf(
  logic: Logic,
  snapshot: AnyMachineSnapshot,
  before: { readonly snapshot: AnyMachineSnapshot; readonly expectedBy: number | undefined } | undefined,
  at: number,
): number | undefined {
  if (before !== undefined && sameStates(before.snapshot, snapshot)) return before.expectedBy
  return earliest(
    ...logic.metas(snapshot).map((meta) => (meta.expected === undefined ? undefined : at + meta.expected)),
  )
}

function sameStates(a: AnyMachineSnapshot, b: AnyMachineSnapshot): boolean {
  return a._nodes.length === b._nodes.length && a._nodes.every((node, index) => node === b._nodes[index])
}

/** The lifecycle's top state in upper snake case: `waitingForInput` is WAITING_FOR_INPUT. */
export function statusOf(value: Json): string {
  return upperSnake(topState(value))
}

function topState(value: Json): string {
  if (typeof value === 'string') return value
  const states = value as { readonly [region: string]: Json | undefined }
  const lifecycle = states.lifecycle
  if (lifecycle !== undefined) return topState(lifecycle)
  return Object.keys(states)[0] ?? ''
}

const spelled = new Map<string, string>()

function upperSnake(name: string): string {
  let text = spelled.get(name)
  if (text === undefined) {
    text = name.replace(/([a-z0-9])([A-Z])/g, '$1_$2').toUpperCase()
    spelled.set(name, text)
  }
  return text
}
