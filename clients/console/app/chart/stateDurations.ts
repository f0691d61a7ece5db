/** The time that an actor spent in each of its states. */
import { type ActiveStates, findActivePaths } from '../../chart/findActivePaths.ts'

interface TimedTransition {
  readonly to: unknown
  readonly at: string
}

export interface StateDuration {
  /** Milliseconds of the stays that have ended. */
  readonly ms: number
  /** When the current stay began, in milliseconds since 1970. null if the actor is not in the state, or if the state is terminal. */
  readonly since: number | null
}

/** By the path of the state. */
export function measureStateDurations(
  transitions: readonly TimedTransition[],
  terminal: boolean,
): ReadonlyMap<string, StateDuration> {
  const durations = new Map<string, StateDuration>()
  for (const { entry, duration } of measureStays(transitions, terminal)) {
    if (duration === undefined) continue
    for (const path of findActivePaths(entry.to as ActiveStates))
      durations.set(path, addDuration(durations.get(path), duration))
  }
  return durations
}

interface Stay<T> {
  readonly entry: T
  /** Undefined in a terminal state, where no time passes. */
  readonly duration: StateDuration | undefined
}

/** Returns the time from each entry to the next one. The last one continues, unless the actor has ended. */
export function measureStays<T extends { readonly at: string }>(entries: readonly T[], hasEnded: boolean): Stay<T>[] {
  return entries.map((entry, index) => {
    const next = entries[index + 1]
    const from = Date.parse(entry.at)
    if (next !== undefined) return { entry, duration: { ms: Date.parse(next.at) - from, since: null } }
    return { entry, duration: hasEnded ? undefined : { ms: 0, since: from } }
  })
}

/** Adds a later stay. */
export function addDuration(earlier: StateDuration | undefined, { ms, since }: StateDuration): StateDuration {
  return { ms: (earlier?.ms ?? 0) + ms, since }
}

/** Returns the total at a given time. The clocks of the server and the reader may differ. */
export function getTotalMs({ ms, since }: StateDuration, now: number): number {
  return since === null ? ms : ms + Math.max(0, now - since)
}
