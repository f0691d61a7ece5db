import type { ELK, ElkEdgeSection, ElkNode } from 'elkjs/lib/elk-api.js'
import type { Box, ChartConnection, ChartLayout, Hub, InitialArrow, Point, Rect } from './chartLayout.ts'
import { bundleEdges, findInternalEdges, groupByHub } from './edgeBundles.ts'
import { branchId, buildElkGraph, type ChartDirection, dotId, edgeId, hubId, startId, stateId } from './elkGraph.ts'
import { layoutLabelLines, placeLabel } from './labels.ts'
import { fillRegions } from './layout/regions.ts'
import { placeStateNames } from './layout/stateNames.ts'
import { straightenConnections } from './layout/straighten.ts'
import { transposeLayout } from './layout/transposeLayout.ts'
import type { Chart } from './model.ts'
import { type ContentOptions, layoutContent, type StateContent } from './stateContent.ts'

export interface LayoutOptions extends Partial<ContentOptions> {
  readonly direction?: ChartDirection
}

export async function layoutChart(
  chart: Chart,
  engine: ELK,
  { direction = 'DOWN', ...options }: LayoutOptions = {},
): Promise<ChartLayout> {
  const contents = new Map(
    chart.nodes.map((node) => [
      node.path,
      layoutContent(node, findInternalEdges(chart, node.path), { figures: false, ...options }),
    ]),
  )
  const bundles = bundleEdges(chart)
  const graph = await engine.layout(buildElkGraph(chart, bundles, contents, direction))

  const rects = new Map(flatten(graph).map((node) => [node.id, toRect(node)]))
  const edges = new Map((graph.edges ?? []).map((edge) => [edge.id, edge]))
  const listSections = (id: string) => (edges.get(id)?.sections ?? []).map(listPoints)

  const getRoutes = (id: string, isBackward: boolean) =>
    isBackward
      ? listSections(id)
          .toReversed()
          .map((points) => points.toReversed())
      : listSections(id)
  const connections = bundles.map(({ sources, target, lines, isBackward }, index): ChartConnection => {
    const label = placeLabel(toRect(edges.get(edgeId(index))?.labels?.[0] ?? {}))
    return {
      sources,
      target,
      routes: getRoutes(edgeId(index), isBackward),
      label,
      lines: layoutLabelLines(lines, label),
    }
  })
  const hubs = groupByHub(bundles).map((members, index): Hub => {
    const edgesOfHub = members.flatMap(({ lines }) => lines.flatMap((line) => line.edges))
    const branches = [...Map.groupBy(edgesOfHub, ({ source }) => source)].map(([source, branchEdges]) => {
      return { source, edges: branchEdges, routes: getRoutes(branchId(index, source), members[0]?.isBackward ?? false) }
    })
    return { at: getCenter(rects.get(hubId(index))), branches }
  })
  const starts = chart.nodes.flatMap(({ path, initial }): InitialArrow[] => {
    const dot = rects.get(dotId(path))
    if (initial === null || dot === undefined) return []
    return [{ target: initial, dot: getCenter(dot), routes: listSections(startId(path)) }]
  })
  const boxes = chart.nodes.map((node): Box => {
    const rect = rects.get(stateId(node.path)) ?? toRect({})
    return { node, ...rect, ...placeContent(contents.get(node.path), rect), hasChildren: node.children.length > 0 }
  })
  const { width = 0, height = 0 } = graph
  const layout = { chart, width, height, boxes, connections, hubs, starts, dividers: [] }
  const refine = (one: ChartLayout) => fillRegions(straightenConnections(one))
  return placeStateNames(direction === 'DOWN' ? refine(layout) : transposeLayout(refine(transposeLayout(layout))))
}

function flatten(node: ElkNode): ElkNode[] {
  return [node, ...(node.children ?? []).flatMap(flatten)]
}

function toRect({ x = 0, y = 0, width = 0, height = 0 }: Partial<Rect>): Rect {
  return { x, y, width, height }
}

function getCenter(rect: Partial<Rect> = {}): Point {
  const { x, y, width, height } = toRect(rect)
  return { x: x + width / 2, y: y + height / 2 }
}

function listPoints({ startPoint, bendPoints = [], endPoint }: ElkEdgeSection): Point[] {
  return [startPoint, ...bendPoints, endPoint].map(({ x, y }) => ({ x, y }))
}

function placeContent(content: StateContent | undefined, { x, y }: Point): Pick<Box, 'texts' | 'internals'> {
  const move = <P extends Point>(text: P): P => ({ ...text, x: text.x + x, y: text.y + y })
  return { texts: (content?.texts ?? []).map(move), internals: (content?.internals ?? []).map(move) }
}
