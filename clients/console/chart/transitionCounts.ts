/** Counts the transitions of many actors on the arrows of a chart. */

import type { ChartConnection, LabelLine } from './chartLayout.ts'
import { type ActiveStates, findActivePaths } from './findActivePaths.ts'
import type { Chart, ChartEdge } from './model.ts'
import { findTakenPath } from './takenPath.ts'

/** A transition, and how many times actors made it. */
export interface TransitionCount {
  readonly event: string
  /** null before the first transition. */
  readonly from: ActiveStates | null
  readonly to: ActiveStates
  readonly count: number
}

export interface EdgeCounts {
  readonly edges: ReadonlyMap<ChartEdge, number>
  /** Counts of the arrows to initial states, by the path of the initial state. */
  readonly starts: ReadonlyMap<string, number>
}

export function countEdges(chart: Chart, transitions: readonly TransitionCount[]): EdgeCounts {
  const edges = new Map<ChartEdge, number>()
  const starts = new Map<string, number>()
  for (const { event, from, to, count } of transitions) {
    const path = findTakenPath(chart, {
      transitions: [{ from: listPaths(from), to: listPaths(to), event, at: 0 }],
      current: [],
    })
    for (const edge of path.edges.keys()) edges.set(edge, (edges.get(edge) ?? 0) + count)
    for (const start of path.starts.keys()) starts.set(start, (starts.get(start) ?? 0) + count)
  }
  return { edges, starts }
}

function listPaths(value: ActiveStates | null): readonly string[] {
  return value === null ? [] : findActivePaths(value)
}

/** Returns how often the transitions of a label's line were made. */
export function countLine({ edges }: LabelLine, counts: EdgeCounts): number {
  return edges.reduce((sum, edge) => sum + (counts.edges.get(edge) ?? 0), 0)
}

/** Returns how often any transition of a connection was made. */
export function countConnection({ lines }: ChartConnection, counts: EdgeCounts): number {
  return lines.reduce((sum, line) => sum + countLine(line, counts), 0)
}

/** Returns a level from 1 to 5 relative to the largest count, on a logarithmic scale. Undefined if the count is 0. */
export function getCountLevel(count: number, maxCount: number): number | undefined {
  return count === 0 ? undefined : Math.max(1, Math.ceil((5 * Math.log1p(count)) / Math.log1p(maxCount)))
}
