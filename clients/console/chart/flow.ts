/** Counts the transitions of many actors on the arrows of a chart. */
import { type ActiveStates, activePaths } from './activePaths.ts'
import type { Connection, LabelLine } from './laidOut.ts'
import type { Chart, ChartEdge } from './model.ts'
import { findWay } from './way.ts'

/** A transition, and how many times actors made it. */
export interface Passed {
  readonly event: string
  /** null before the first transition. */
  readonly from: ActiveStates | null
  readonly to: ActiveStates
  readonly count: number
}

export interface Flow {
  readonly edges: ReadonlyMap<ChartEdge, number>
  /** Counts of the arrows to initial states, by the path of the initial state. */
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

/** Returns how often the transitions of a label's line were made. */
export function takenIn({ edges }: LabelLine, flows: Flow): number {
  return edges.reduce((sum, edge) => sum + (flows.edges.get(edge) ?? 0), 0)
}

/** Returns how often any transition of a connection was made. */
export function flowIn({ lines }: Connection, flows: Flow): number {
  return lines.reduce((sum, line) => sum + takenIn(line, flows), 0)
}

/** Returns a level from 1 to 5 relative to the largest count, on a logarithmic scale. Undefined if the count is 0. */
export function levelOf(count: number, most: number): number | undefined {
  return count === 0 ? undefined : Math.max(1, Math.ceil((5 * Math.log1p(count)) / Math.log1p(most)))
}
