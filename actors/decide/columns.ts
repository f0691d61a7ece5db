/** Derives the columns from the state that a transition leads to. Queries filter by them. */
import type { Columns, Json, Timer } from '../../spec/core/actor.ts'
import type { Snapshot } from '../activation/snapshot.ts'
import { earliestDue } from '../timers/timers.ts'
import type { Logic, MachineState } from './logic.ts'

/** A state counts as stuck if its deadline passed this long ago and has not ended it. Milliseconds. */
const deadlineGraceMs = 10_000

/** @param expectedBy when the present states will have lasted longer than expected, milliseconds since 1970 */
export function deriveColumns(
  logic: Logic,
  { configuration, context }: MachineState,
  timers: readonly Timer[],
  expectedBy: number | undefined,
): Columns {
  const { value, terminal, watched } = configuration
  const own = logic.definition.columns?.({ value, context })
  const incidents = typeof context.incidents === 'number' ? context.incidents : 0
  return {
    ...own,
    status: incidents > 0 && !terminal ? 'INCIDENT' : (own?.status ?? statusOf(value)),
    terminal,
    incidents,
    stuckAt: terminal ? undefined : stuckAt(timers, expectedBy),
    unwatched: !terminal && timers.length === 0 && !watched,
  }
}

function stuckAt(timers: readonly Timer[], expectedBy: number | undefined): number | undefined {
  const due = earliestDue(timers)
  if (due === undefined) return expectedBy
  // If the state is expected to last until its own deadline, the grace period gives that timer time to fire.
  return expectedBy === undefined || expectedBy >= due ? due + deadlineGraceMs : expectedBy
}

/**
 * The time of an expectation starts when the state is entered. A transition that stays in the state keeps it, even if another region
 * changes. Only one time is stored: if two regions have an expectation, the earlier time counts until both have left their states.
 */
export function expectationOf(
  { configuration }: MachineState,
  before: Snapshot | undefined,
  at: number,
): number | undefined {
  const earlier = before?.state.configuration
  if (configuration === earlier) return before?.expectedBy
  let least: number | undefined
  for (const [state, expected] of configuration.expected) {
    const by = earlier?.states.has(state) === true ? before?.expectedBy : at + expected
    if (by !== undefined && (least === undefined || by < least)) least = by
  }
  return least
}

/** The lifecycle's top state in upper snake case. `waitingForInput` becomes WAITING_FOR_INPUT. */
function statusOf(value: Json): string {
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
