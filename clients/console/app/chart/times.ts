/** How long an actor stood in each of its states. */
import { type ActiveStates, activePaths } from '../../chart/activePaths.ts'

interface Step {
  readonly to: unknown
  readonly at: string
}

export interface Stood {
  /** Milliseconds of the stays that are over. */
  readonly ms: number
  /** Since when it stands there, in milliseconds since 1970; null where it does not, or stays for good. */
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

/** As of a moment; the clocks of a server and of a reader may differ. */
export function totalOf({ ms, since }: Stood, now: number): number {
  return since === null ? ms : ms + Math.max(0, now - since)
}
