import type { ELK, ElkEdgeSection, ElkNode } from 'elkjs/lib/elk-api.js'
import { bundlesOf, hubsOf, internalsOf } from './bundles.ts'
import { type Content, contentOf, type Room } from './content.ts'
import { branchId, dotId, edgeId, elkGraph, hubId, startId, stateId } from './elkGraph.ts'
import { withHeaders } from './headers.ts'
import { labelLines, labelPlace } from './labels.ts'
import type { Box, Connection, Hub, LaidOutChart, Point, Rect, Start } from './laidOut.ts'
import type { Chart } from './model.ts'
import { withRegions } from './regions.ts'
import { straighten } from './straighten.ts'

export async function layoutChart(chart: Chart, engine: ELK, room: Room = bare): Promise<LaidOutChart> {
  const contents = new Map(chart.nodes.map((node) => [node.path, contentOf(node, internalsOf(chart, node.path), room)]))
  const bundles = bundlesOf(chart)
  const done = await engine.layout(elkGraph(chart, bundles, contents))

  const rects = new Map(flatten(done).map((node) => [node.id, rectOf(node)]))
  const edges = new Map((done.edges ?? []).map((edge) => [edge.id, edge]))
  const routes = (id: string) => (edges.get(id)?.sections ?? []).map(pointsOf)

  const turned = (id: string, back: boolean) =>
    back
      ? routes(id)
          .toReversed()
          .map((points) => points.toReversed())
      : routes(id)
  const connections = bundles.map(({ sources, target, lines, back }, index): Connection => {
    const label = labelPlace(rectOf(edges.get(edgeId(index))?.labels?.[0] ?? {}))
    return { sources, target, routes: turned(edgeId(index), back), label, lines: labelLines(lines, label) }
  })
  const hubs = hubsOf(bundles).map((all, index): Hub => {
    const shared = all.flatMap(({ lines }) => lines.flatMap((line) => line.edges))
    const branches = [...Map.groupBy(shared, ({ source }) => source)].map(([source, own]) => {
      return { source, edges: own, routes: turned(branchId(index, source), all[0]?.back ?? false) }
    })
    return { at: centre(rects.get(hubId(index))), branches }
  })
  const starts = chart.nodes.flatMap(({ path, initial }): Start[] => {
    const dot = rects.get(dotId(path))
    if (initial === null || dot === undefined) return []
    return [{ target: initial, dot: centre(dot), routes: routes(startId(path)) }]
  })
  const boxes = chart.nodes.map((node): Box => {
    const rect = rects.get(stateId(node.path)) ?? rectOf({})
    return { node, ...rect, ...placed(contents.get(node.path), rect), holds: node.children.length > 0 }
  })
  const { width = 0, height = 0 } = done
  return withHeaders(withRegions(straighten({ chart, width, height, boxes, connections, hubs, starts, dividers: [] })))
}

const bare: Room = { figures: false }

function flatten(node: ElkNode): ElkNode[] {
  return [node, ...(node.children ?? []).flatMap(flatten)]
}

function rectOf({ x = 0, y = 0, width = 0, height = 0 }: Partial<Rect>): Rect {
  return { x, y, width, height }
}

function centre(rect: Partial<Rect> = {}): Point {
  const { x, y, width, height } = rectOf(rect)
  return { x: x + width / 2, y: y + height / 2 }
}

function pointsOf({ startPoint, bendPoints = [], endPoint }: ElkEdgeSection): Point[] {
  return [startPoint, ...bendPoints, endPoint].map(({ x, y }) => ({ x, y }))
}

function placed(content: Content | undefined, { x, y }: Point): Pick<Box, 'runs' | 'internals'> {
  const move = <R extends Point>(run: R): R => ({ ...run, x: run.x + x, y: run.y + y })
  return { runs: (content?.runs ?? []).map(move), internals: (content?.internals ?? []).map(move) }
}
