/** The time that an actor spent in each of its states. */
import { type ActiveStates, activePaths } from '../../chart/activePaths.ts'

interface Step {
  readonly to: unknown
  readonly at: string
}

export interface Stood {
  /** Milliseconds of the stays that have ended. */
  readonly ms: number
  /** When the current stay began, in milliseconds since 1970. null if the actor is not in the state, or if the state is terminal. */
  readonly since: number | null
}

/** By the path of the state. */
export function timesIn(steps: readonly Step[], terminal: boolean): ReadonlyMap<string, Stood> {
  const times = new Map<string, Stood>()
  for (const [index, { to, at }] of steps.entries()) {
    const next = steps[index + 1]
    if (next === undefined && terminal) continue
    const from = Date.parse(at)
    for (const path of activePaths(to as ActiveStates)) {
      const ms = times.get(path)?.ms ?? 0
      times.set(path, next === undefined ? { ms, since: from } : { ms: ms + Date.parse(next.at) - from, since: null })
    }
  }
  return times
}

/** Returns the total at a given time. The clocks of the server and the reader may differ. */
export function totalOf({ ms, since }: Stood, now: number): number {
  return since === null ? ms : ms + Math.max(0, now - since)
}
