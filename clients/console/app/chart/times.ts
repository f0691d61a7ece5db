/** How long an actor stood in each of its states. */
import { type ActiveStates, activePaths } from '../../chart/activePaths.ts'

interface Stood {
  readonly to: unknown
  readonly at: string
}

/** In ms, by the path of the state; in the last one until then, or not at all where it is over. */
export function timesIn(steps: readonly Stood[], until: number | null): ReadonlyMap<string, number> {
  const times = new Map<string, number>()
  for (const [index, { to, at }] of steps.entries()) {
    const next = steps[index + 1]
    const end = next === undefined ? until : Date.parse(next.at)
    if (end === null) continue
    // The clocks of a server and of a reader may differ.
    const ms = Math.max(0, end - Date.parse(at))
    for (const path of activePaths(to as ActiveStates)) times.set(path, (times.get(path) ?? 0) + ms)
  }
  return times
}
