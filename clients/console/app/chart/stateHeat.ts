/** How many actors of a kind each state has, for how long, and which states are entered more often than left. */
import type { ActiveStates } from '../../chart/findActivePaths.ts'
import type { TransitionCount } from '../../chart/transitionCounts.ts'
import { format, formatNumber, messages } from '../messages.ts'
import { formatDuration, formatRoughDuration } from '../parts/formatDuration.ts'

const { stateMaps: texts } = messages

export interface StateCount {
  readonly status: string
  readonly count: number
  readonly oldestAt: string
  readonly p50At: string
  readonly p99At: string
}

export interface StateHeat {
  /** From 0 to 1, relative to the largest count. 0 for a terminal state. */
  readonly share: number
  /** The count, and the ages of half of the actors and of 99 in 100: `1,204 · 3 min–2 h`. */
  readonly figures: string
  readonly description: string
}

export interface Bottleneck {
  readonly status: string
  readonly count: number
  /** How many more actors entered than left. */
  readonly netEntered: number
}

/** The measure that the color of a state shows: the number of actors, or the time that half of them have not exceeded. */
export const heatMeasures = ['count', 'time'] as const
export type HeatMeasure = (typeof heatMeasures)[number]

interface HeatOptions {
  /** Milliseconds since 1970. */
  readonly now: number
  /** They are cold, because no actor waits there. */
  readonly terminalStates?: ReadonlySet<string>
  readonly measure?: HeatMeasure
}

/** By status and by the path of its state. */
export function computeHeat(
  counts: readonly StateCount[],
  { now, terminalStates = new Set(), measure = 'count' }: HeatOptions,
): ReadonlyMap<string, StateHeat> {
  const since = (at: string) => Math.max(0, now - Date.parse(at))
  const getAmount = ({ status, count, p50At }: StateCount) => {
    if (terminalStates.has(status)) return 0
    return measure === 'count' ? count : since(p50At)
  }
  const maxAmount = Math.max(1, ...counts.map(getAmount))
  const heat = new Map<string, StateHeat>()
  for (const stateCount of counts) {
    const { status, count, oldestAt, p50At, p99At } = stateCount
    const age = (at: string) => formatDuration(since(at))
    const stateHeat: StateHeat = {
      share: Math.log1p(getAmount(stateCount)) / Math.log1p(maxAmount),
      figures: `${formatNumber(count)} · ${formatRange(since(p50At), since(p99At))}`,
      description: format(texts.stateTimes, { count, p50: age(p50At), p99: age(p99At), longest: age(oldestAt) }),
    }
    heat.set(status, stateHeat)
    heat.set(`lifecycle.${status}`, stateHeat)
  }
  return heat
}

/** A range that is short enough for a state: `6–13 h`, `48 min–3 h`. Equal values are shown once. */
function formatRange(from: number, to: number): string {
  const [shorter, longer] = [formatRoughDuration(from), formatRoughDuration(to)]
  if (shorter === longer) return longer
  const [value, unit] = shorter.split(' ')
  return longer.endsWith(` ${unit}`) ? `${value}–${longer}` : `${shorter}–${longer}`
}

/** States that are left less often than they are entered, the largest difference first. Terminal states are excluded. */
export function findBottlenecks(
  counts: readonly StateCount[],
  transitions: readonly TransitionCount[],
  terminalStates: ReadonlySet<string>,
): readonly Bottleneck[] {
  const netEntered = new Map<string, number>()
  const add = (status: string | undefined, by: number) => {
    if (status !== undefined) netEntered.set(status, (netEntered.get(status) ?? 0) + by)
  }
  for (const { from, to, count } of transitions) {
    if (from !== null) add(getTopState(from), -count)
    add(getTopState(to), count)
  }
  return counts
    .map(({ status, count }) => ({ status, count, netEntered: netEntered.get(status) ?? 0 }))
    .filter(({ status, netEntered: net }) => net > 0 && !terminalStates.has(status))
    .sort((a, b) => b.netEntered - a.netEntered)
}

/** Returns the top state of the lifecycle. */
export function getTopState(value: ActiveStates): string | undefined {
  if (typeof value === 'string') return value
  const { lifecycle } = value
  return lifecycle === undefined ? Object.keys(value)[0] : getTopState(lifecycle)
}

/** Returns a rate as a text that is short enough for an arrow. */
export function formatRate(count: number, ms: number): string {
  const perMinute = (count * 60_000) / Math.max(ms, 1)
  if (perMinute >= 1) return `${formatShort(perMinute)}/min`
  return `${formatShort(perMinute * 60)}/h`
}

function formatShort(value: number): string {
  return value >= 10 ? formatNumber(Math.round(value)) : String(Math.round(value * 10) / 10)
}
