/** The way an actor took, found again among the chart's transitions. */
import type { Connection, Hub, LabelLine } from './laidOut.ts'
import { type Chart, type ChartEdge, isWithin } from './model.ts'

export interface Step {
  /** The paths of the active states before; none before the first. */
  readonly from: readonly string[]
  readonly to: readonly string[]
  readonly event: string
  /** Milliseconds since 1970. */
  readonly at: number
}

export interface Taken {
  readonly steps: readonly Step[]
  /** The paths of the active states now. */
  readonly current: readonly string[]
}

export interface Way {
  /** The numbers of the steps, from 1, that used a transition. */
  readonly edges: ReadonlyMap<ChartEdge, readonly number[]>
  /** The same for the arrows to first states, by the path of the first state. */
  readonly starts: ReadonlyMap<string, readonly number[]>
  readonly visited: ReadonlySet<string>
  readonly current: ReadonlySet<string>
}

export function findWay(chart: Chart, { steps, current }: Taken): Way {
  const edges = new Map<ChartEdge, number[]>()
  const starts = new Map<string, number[]>()
  steps.forEach((step, index) => {
    for (const edge of edgesOf(chart, step)) edges.set(edge, [...(edges.get(edge) ?? []), index + 1])
    for (const path of startsOf(chart, step)) starts.set(path, [...(starts.get(path) ?? []), index + 1])
  })
  const passed = steps.flatMap(({ from, to }) => [...from, ...to])
  return { edges, starts, visited: withOuter(chart, [...passed, ...current]), current: withOuter(chart, current) }
}

/** A step is named as its transition is in the chart: `after 10 s`, not `xstate.after.10000.run.STARTING`. */
export function stepNames({ edges, starts }: Way): Map<number, string> {
  const named = [...edges].flatMap(([{ label, event }, numbers]) =>
    event === '' ? [] : numbers.map((number) => [number, label] as const),
  )
  return new Map([...[...starts.values()].flat().map((number) => [number, 'start'] as const), ...named])
}

function withOuter(chart: Chart, paths: readonly string[]): Set<string> {
  return new Set(chart.nodes.map(({ path }) => path).filter((path) => paths.some((one) => isWithin(one, path))))
}

/**
 * Of one state's candidates the one that explains the move, and else the internal one; then the deepest states win, as in
 * XState. What follows by itself (`always`) belongs to the step.
 */
function edgesOf(chart: Chart, step: Step): ChartEdge[] {
  const able = chart.edges.filter((edge) => isActive(edge.source, step.from) && handles(edge, step.event))
  const found = [...Map.groupBy(able, ({ source }) => source)].flatMap(([source, candidates]) => {
    const ways = candidates.map((edge) => [edge, ...followed(chart, edge, step.to)])
    const arrives = ways.filter((way) => leadsTo(way.at(-1), step.to))
    const moves = arrives.find(([edge]) => edge?.target != null && !isActive(edge.target, step.from))
    const way = moves ?? arrives.find(([edge]) => edge?.target === null) ?? arrives[0]
    return way === undefined ? [] : [{ source, way }]
  })
  const isOuter = (one: string) => found.some(({ source }) => source !== one && isWithin(source, one))
  return found.flatMap(({ source, way }) => (isOuter(source) ? [] : way))
}

/** The chain of `always` from where an edge leads to one of the states that became active. */
function followed(chart: Chart, edge: ChartEdge, to: readonly string[]): ChartEdge[] {
  const { target } = edge
  if (target === null || isActive(target, to)) return []
  const queue: ChartEdge[][] = [[]]
  const seen = new Set([target])
  for (const chain of queue) {
    const here = chain.at(-1)?.target ?? target
    for (const next of chart.edges) {
      if (next.event !== '' || next.target === null || !isWithin(here, next.source) || seen.has(next.target)) continue
      const longer = [...chain, next]
      if (isActive(next.target, to)) return longer
      seen.add(next.target)
      queue.push(longer)
    }
  }
  return []
}

function leadsTo(edge: ChartEdge | undefined, to: readonly string[]): boolean {
  return edge !== undefined && isActive(edge.target ?? edge.source, to)
}

function isActive(path: string, active: readonly string[]): boolean {
  return active.some((leaf) => isWithin(leaf, path))
}

/** A step names its event as XState does, or as the chart shows it; `*` and `agent.*` take whatever begins so. */
function handles({ event, label }: ChartEdge, name: string): boolean {
  if (event === name || label === name) return true
  return event === '*' || (event.endsWith('.*') && `${name}.`.startsWith(event.slice(0, -1)))
}

/** Arrows to first states are used by the step that made the actor. */
function startsOf(chart: Chart, { from, to }: Step): string[] {
  if (from.length > 0) return []
  return chart.nodes.flatMap(({ initial }) => (initial !== null && isActive(initial, to) ? [initial] : []))
}

/** Whether the way led along it. */
export function isTaken({ lines }: Connection, way: Way): boolean {
  return lines.some((line) => isPassed(line, way))
}

/** Whether the way led along one of what shares this line. */
export function isPassed({ edges }: LabelLine | Hub['branches'][number], way: Way): boolean {
  return edges.some((edge) => way.edges.has(edge))
}

/** Whether the way led through the dot. */
export function isMet({ branches }: Hub, way: Way): boolean {
  return branches.some((branch) => isPassed(branch, way))
}

/** What the way led along comes last, so that no other line is drawn over it. */
export function takenLast<T>(all: readonly T[], isOne: (one: T) => boolean): readonly T[] {
  return all.toSorted((a, b) => Number(isOne(a)) - Number(isOne(b)))
}
