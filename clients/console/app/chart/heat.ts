/** How many actors of a kind each state has, for how long, and which states are entered more often than left. */
import type { ActiveStates } from '../../chart/activePaths.ts'
import type { Passed } from '../../chart/flow.ts'
import { lasted, roughly } from '../parts/lasted.ts'

export interface Standing {
  readonly status: string
  readonly count: number
  readonly oldestAt: string
  readonly p50At: string
  readonly p99At: string
}

export interface Heat {
  /** From 0 to 1, relative to the largest count. */
  readonly share: number
  /** The count, and the ages of half of the actors and of 99 in 100: `1,204 · 3 min–2 h`. */
  readonly figures: string
  readonly words: string
}

export interface Pile {
  readonly status: string
  readonly count: number
  /** How many more actors entered than left. */
  readonly more: number
}

/** By status and by the path of its state. */
export function heatOf(standing: readonly Standing[], now: number): ReadonlyMap<string, Heat> {
  const most = Math.max(1, ...standing.map(({ count }) => count))
  const heat = new Map<string, Heat>()
  for (const { status, count, oldestAt, p50At, p99At } of standing) {
    const since = (at: string) => Math.max(0, now - Date.parse(at))
    const age = (at: string) => lasted(since(at))
    const one: Heat = {
      share: Math.log1p(count) / Math.log1p(most),
      figures: `${count.toLocaleString()} · ${range(since(p50At), since(p99At))}`,
      words:
        `${count.toLocaleString()}; half of them unchanged for at most ${age(p50At)}, 99 in 100 for at most ${age(p99At)}, ` +
        `the oldest for ${age(oldestAt)}`,
    }
    heat.set(status, one)
    heat.set(`lifecycle.${status}`, one)
  }
  return heat
}

/** A range that is short enough for a state: `6–13 h`, `48 min–3 h`. Equal values are shown once. */
function range(from: number, to: number): string {
  const [shorter, longer] = [roughly(from), roughly(to)]
  if (shorter === longer) return longer
  const [value, unit] = shorter.split(' ')
  return longer.endsWith(` ${unit}`) ? `${value}–${longer}` : `${shorter}–${longer}`
}

/** States that are left less often than they are entered, the largest difference first. Terminal states are excluded. */
export function pilesOf(
  standing: readonly Standing[],
  passed: readonly Passed[],
  over: ReadonlySet<string>,
): readonly Pile[] {
  const more = new Map<string, number>()
  const add = (status: string | undefined, by: number) => {
    if (status !== undefined) more.set(status, (more.get(status) ?? 0) + by)
  }
  for (const { from, to, count } of passed) {
    if (from !== null) add(statusOf(from), -count)
    add(statusOf(to), count)
  }
  return standing
    .map(({ status, count }) => ({ status, count, more: more.get(status) ?? 0 }))
    .filter(({ status, more: net }) => net > 0 && !over.has(status))
    .sort((a, b) => b.more - a.more)
}

/** Returns the top state of the lifecycle. */
export function statusOf(value: ActiveStates): string | undefined {
  if (typeof value === 'string') return value
  const { lifecycle } = value
  return lifecycle === undefined ? Object.keys(value)[0] : statusOf(lifecycle)
}

/** Returns a rate as a text that is short enough for an arrow. */
export function rateOf(count: number, ms: number): string {
  const perMinute = (count * 60_000) / Math.max(ms, 1)
  if (perMinute >= 1) return `${shortly(perMinute)}/min`
  return `${shortly(perMinute * 60)}/h`
}

function shortly(value: number): string {
  return value >= 10 ? Math.round(value).toLocaleString() : String(Math.round(value * 10) / 10)
}
