/** Lets the regions of a parallel state fill it: boxes side by side become columns with dashed lines between. */
import type { Box, ChartLayout, Divider, Point, Rect, Routes } from '../chartLayout.ts'
import { type ChartNode, isWithin } from '../model.ts'

export function fillRegions(chart: ChartLayout): ChartLayout {
  return chart.boxes.reduce((layout, { node }) => (node.kind === 'atomic' ? layout : fillParallel(layout, node)), chart)
}

function fillParallel(chart: ChartLayout, { path, children }: ChartNode): ChartLayout {
  const parent = chart.boxes.find(({ node }) => node.path === path)
  const regions = chart.boxes.filter(({ node }) => node.kind === 'region' && children.includes(node.path))
  const columns = parent === undefined || regions.length === 0 ? undefined : arrangeColumns(parent, regions)
  if (columns === undefined) return chart
  const raised = regions.reduce((layout, { node, y }) => raiseRegion(layout, node.path, y - columns.top), chart)
  const resized = new Map(columns.regions.map((box) => [box.node.path, box]))
  const boxes = raised.boxes.map((box) => ({
    ...box,
    ...resized.get(box.node.path),
    texts: box.texts,
    internals: box.internals,
  }))
  return { ...raised, boxes, dividers: [...raised.dividers, ...columns.dividers] }
}

/** Moves a region with its content to the top of the others, unless a transition leads out of it. */
function raiseRegion(chart: ChartLayout, region: string, by: number): ChartLayout {
  const inside = (path: string) => isWithin(path, region)
  if (by === 0 || crossesBorder(chart, inside)) return chart
  const up = <P extends Point>(point: P): P => ({ ...point, y: point.y - by })
  const routes = (all: Routes) => all.map((points) => points.map(up))
  return {
    ...chart,
    boxes: chart.boxes.map((box) =>
      inside(box.node.path) ? { ...up(box), texts: box.texts.map(up), internals: box.internals.map(up) } : box,
    ),
    connections: chart.connections.map((one) =>
      inside(one.target) ? { ...one, routes: routes(one.routes), label: up(one.label), lines: one.lines.map(up) } : one,
    ),
    hubs: chart.hubs.map((hub) =>
      hub.branches.some(({ source }) => inside(source))
        ? { at: up(hub.at), branches: hub.branches.map((one) => ({ ...one, routes: routes(one.routes) })) }
        : hub,
    ),
    starts: chart.starts.map((one) =>
      inside(one.target) && one.target !== region ? { ...one, dot: up(one.dot), routes: routes(one.routes) } : one,
    ),
    dividers: chart.dividers,
  }
}

/** Returns whether a transition crosses the border of the region. */
function crossesBorder({ connections }: ChartLayout, inside: (path: string) => boolean): boolean {
  return connections.some(({ sources, target }) => sources.some((source) => inside(source) !== inside(target)))
}

interface Columns {
  readonly top: number
  readonly regions: readonly Box[]
  readonly dividers: readonly Divider[]
}

/**
 * Returns undefined if the layout placed regions one above the other (transitions cross between them). They then keep their own
 * boxes.
 */
function arrangeColumns(parent: Box, regions: readonly Box[]): Columns | undefined {
  const inOrder = regions.toSorted((a, b) => a.x - b.x)
  const between = inOrder.slice(1).map((right, index) => findMiddle(inOrder[index] ?? right, right))
  if (between.some((x) => x === undefined)) return undefined
  const top = Math.min(...regions.map(({ y }) => y))
  const bottom = parent.y + parent.height
  const edges = [parent.x, ...between.map((x) => x ?? 0), parent.x + parent.width]
  return {
    top,
    regions: inOrder.map((box, index) => {
      const x = edges[index] ?? box.x
      return { ...box, x, y: top, width: (edges[index + 1] ?? x) - x, height: bottom - top }
    }),
    dividers: edges.slice(1, -1).map((x) => ({ from: { x, y: top }, to: { x, y: bottom } })),
  }
}

function findMiddle(left: Rect, right: Rect): number | undefined {
  const end = left.x + left.width
  return right.x >= end ? (end + right.x) / 2 : undefined
}
