/** How much goes through each arrow: steps that many actors took, counted on the chart's transitions. */
import { type ActiveStates, activePaths } from './activePaths.ts'
import type { Connection, LabelLine } from './laidOut.ts'
import type { Chart, ChartEdge } from './model.ts'
import { findWay } from './way.ts'

/** A step that actors took, and how many did. */
export interface Passed {
  readonly event: string
  /** null before the first step. */
  readonly from: ActiveStates | null
  readonly to: ActiveStates
  readonly count: number
}

export interface Flow {
  readonly edges: ReadonlyMap<ChartEdge, number>
  /** Of the arrows to first states, by the path of the first state. */
  readonly starts: ReadonlyMap<string, number>
}

export function flowOf(chart: Chart, passed: readonly Passed[]): Flow {
  const edges = new Map<ChartEdge, number>()
  const starts = new Map<string, number>()
  for (const { event, from, to, count } of passed) {
    const way = findWay(chart, { steps: [{ from: pathsOf(from), to: pathsOf(to), event, at: 0 }], current: [] })
    for (const edge of way.edges.keys()) edges.set(edge, (edges.get(edge) ?? 0) + count)
    for (const path of way.starts.keys()) starts.set(path, (starts.get(path) ?? 0) + count)
  }
  return { edges, starts }
}

function pathsOf(value: ActiveStates | null): readonly string[] {
  return value === null ? [] : activePaths(value)
}

/** How often what a line of a label names was taken. */
export function takenIn({ edges }: LabelLine, flows: Flow): number {
  return edges.reduce((sum, edge) => sum + (flows.edges.get(edge) ?? 0), 0)
}

/** How often any of a way was. */
export function flowIn({ lines }: Connection, flows: Flow): number {
  return lines.reduce((sum, line) => sum + takenIn(line, flows), 0)
}

/** From 1 to 5 as a fifth of the most that any is taken, by orders of magnitude; none where it was not. */
export function levelOf(count: number, most: number): number | undefined {
  return count === 0 ? undefined : Math.max(1, Math.ceil((5 * Math.log1p(count)) / Math.log1p(most)))
}
