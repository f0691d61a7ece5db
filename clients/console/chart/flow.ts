/** How much goes through each arrow: steps that many actors took, counted on the chart's transitions. */
import { type ActiveStates, activePaths } from './activePaths.ts'
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
