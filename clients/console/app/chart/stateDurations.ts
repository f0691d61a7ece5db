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
  for (const [index, { to, at }] of transitions.entries()) {
    const next = transitions[index + 1]
    if (next === undefined && terminal) continue
    const from = Date.parse(at)
    for (const path of findActivePaths(to as ActiveStates)) {
      const ms = durations.get(path)?.ms ?? 0
      durations.set(
        path,
        next === undefined ? { ms, since: from } : { ms: ms + Date.parse(next.at) - from, since: null },
      )
    }
  }
  return durations
}

/** Returns the total at a given time. The clocks of the server and the reader may differ. */
export function getTotalMs({ ms, since }: StateDuration, now: number): number {
  return since === null ? ms : ms + Math.max(0, now - since)
}
