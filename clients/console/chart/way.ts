/** Finds the way that an actor took among the chart's transitions. */
import type { Connection, Hub, LabelLine } from './laidOut.ts'
import { type Chart, type ChartEdge, isWithin } from './model.ts'

export interface Step {
  /** The paths of the active states before. Empty before the first transition. */
  readonly from: readonly string[]
  readonly to: readonly string[]
  readonly event: string
  /** Milliseconds since 1970. */
  readonly at: number
}

export interface Taken {
  readonly steps: readonly Step[]
  /** The paths of the currently active states. */
  readonly current: readonly string[]
}

export interface Way {
  /** The numbers of the actor's transitions, from 1, by the chart's transition. */
  readonly edges: ReadonlyMap<ChartEdge, readonly number[]>
  /** The same for the arrows to initial states, by the path of the initial state. */
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

/** Returns the label in the chart for each number: `after 10 s`, not `xstate.after.10000.run.STARTING`. */
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
 * From the candidates of one state it selects the one that leads to the new states, otherwise the internal one. Then the deepest
 * states have priority, as in XState. Subsequent `always` transitions are included.
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

/** Returns the chain of `always` transitions from the target of an edge to one of the states that became active. */
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

/**
 * Returns whether an edge handles an event, which is named as in XState or as in the chart. `*` handles all events, and
 * `agent.*` all with that prefix.
 */
function handles({ event, label }: ChartEdge, name: string): boolean {
  if (event === name || label === name) return true
  return event === '*' || (event.endsWith('.*') && `${name}.`.startsWith(event.slice(0, -1)))
}

/** Returns the arrows to initial states, which only an actor's first transition uses. */
function startsOf(chart: Chart, { from, to }: Step): string[] {
  if (from.length > 0) return []
  return chart.nodes.flatMap(({ initial }) => (initial !== null && isActive(initial, to) ? [initial] : []))
}

/** Returns whether the way contains a transition of the connection. */
export function isTaken({ lines }: Connection, way: Way): boolean {
  return lines.some((line) => isPassed(line, way))
}

/** Returns whether the way contains a transition that shares this line. */
export function isPassed({ edges }: LabelLine | Hub['branches'][number], way: Way): boolean {
  return edges.some((edge) => way.edges.has(edge))
}

/** Returns whether the way passes the hub. */
export function isMet({ branches }: Hub, way: Way): boolean {
  return branches.some((branch) => isPassed(branch, way))
}

/** Sorts the elements of the way to the end, so that no other line is drawn over them. */
export function takenLast<T>(all: readonly T[], isOne: (one: T) => boolean): readonly T[] {
  return all.toSorted((a, b) => Number(isOne(a)) - Number(isOne(b)))
}
