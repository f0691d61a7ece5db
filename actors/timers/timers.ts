/**
 * Delayed transitions as data. XState returns "raise this event in so many milliseconds" and "cancel that"; the runtime keeps the
 * list in the snapshot and delivers what is due. A timer counts only while the snapshot holds it, so one that an earlier visit
 * to a state set can never be taken for that of a later visit.
 */
import type { Timer } from '../../spec/core/actor.ts'
import type { PlannedAction } from '../decide/logic.ts'

export interface TimerChange {
  readonly timers: readonly Timer[]
  readonly set: readonly Timer[]
  readonly canceled: readonly string[]
}

const none: readonly never[] = Object.freeze([])

/** @param at the time of the transition, milliseconds since 1970; @param seq the sequence of the transition */
export function applyTimers(
  timers: readonly Timer[],
  actions: readonly PlannedAction[],
  at: number,
  seq: number,
): TimerChange {
  if (!actions.some(isTimerAction)) return { timers, set: none, canceled: none }
  const next = new Map(timers.map((timer) => [timer.id, timer]))
  const canceled: string[] = []
  for (const action of actions) {
    if (action.type === 'xstate.cancel') {
      const { sendId: id } = action.params as { sendId: string }
      if (next.delete(id)) canceled.push(id)
    } else if (action.type === 'xstate.raise') {
      const { event, id, delay } = action.params as { event: { type: string }; id?: string; delay?: number }
      if (delay === undefined) continue
      const key = id ?? event.type
      next.set(key, { id: key, event: event.type, due: at + delay, setBy: seq })
    }
  }
  const kept = [...next.values()]
  return { timers: kept, set: kept.filter((timer) => timer.setBy === seq), canceled }
}

/** An actor that is over keeps no timer, not even of a region that its end did not leave: nothing would ever take it away. */
export function endTimers(timers: readonly Timer[]): TimerChange {
  return { timers: none, set: none, canceled: timers.map(({ id }) => id) }
}

export function isTimerAction(action: PlannedAction): boolean {
  return action.type === 'xstate.raise' || action.type === 'xstate.cancel'
}

/** The timer that is due first among those due at `at` or before; equal ones in the order of their setting. */
export function firstDue(timers: readonly Timer[], at: number): Timer | undefined {
  let first: Timer | undefined
  for (const timer of timers) {
    if (timer.due <= at && (first === undefined || timer.due < first.due)) first = timer
  }
  return first
}

/**
 * Returns the time at which storage checks the timers of an actor: `due`, the earliest of them, or a time before it. Each change of the time
 * changes an index. So a time more than a minute ahead stays when its timer is canceled. When it comes, no timer is due, and it is corrected.
 * @param stored what storage has; all times in milliseconds since 1970
 */
export function nextCheck(stored: number | undefined, due: number | undefined, at: number): number | undefined {
  const stays = stored !== undefined && stored > at + nearMs && (due === undefined || stored <= due)
  return stays ? stored : due
}

const nearMs = 60_000

export function earliestDue(timers: readonly Timer[]): number | undefined {
  let earliest: number | undefined
  for (const timer of timers) if (earliest === undefined || timer.due < earliest) earliest = timer.due
  return earliest
}
