/** Converts a chart to the graph of the layout engine: nested nodes, a dot before each initial state, one edge for each bundle. */
import type { ElkExtendedEdge, ElkNode } from 'elkjs/lib/elk-api.js'
import { type Bundle, hubsOf } from './bundles.ts'
import type { Content } from './content.ts'
import { labelRoom } from './labels.ts'
import type { Chart, ChartNode } from './model.ts'

export const stateId = (path: string): string => `state ${path}`
export const dotId = (path: string): string => `dot ${path}`
export const edgeId = (bundle: number): string => `edge ${bundle}`
export const hubId = (hub: number): string => `hub ${hub}`
export const branchId = (hub: number, source: string): string => `branch ${hub} ${source}`
export const startId = (path: string): string => `start ${path}`

export const dotSize = 10
export const hubSize = 8

/** Every state with children needs these options: under INCLUDE_CHILDREN each level is laid out with its own options. */
const level: Readonly<Record<string, string>> = {
  'elk.direction': 'DOWN',
  'elk.edgeRouting': 'ORTHOGONAL',
  'elk.spacing.nodeNode': '20',
  'elk.spacing.edgeNode': '14',
  'elk.spacing.edgeEdge': '10',
  'elk.spacing.edgeLabel': '4',
  'elk.layered.spacing.nodeNodeBetweenLayers': '30',
  'elk.layered.spacing.edgeNodeBetweenLayers': '16',
  'elk.layered.spacing.edgeEdgeBetweenLayers': '12',
}

const whole: Readonly<Record<string, string>> = {
  ...level,
  'elk.algorithm': 'layered',
  'elk.hierarchyHandling': 'INCLUDE_CHILDREN',
  'elk.json.edgeCoords': 'ROOT',
  'elk.json.shapeCoords': 'ROOT',
  'elk.randomSeed': '1',
  'elk.padding': '[top=0,left=0,bottom=0,right=0]',
}

/**
 * Selects the placement strategy. NETWORK_SIMPLEX makes straighter lines (a fifth fewer bends in the machines of the project), but
 * its time grows steeply with the number of lines: twice that of the other for the largest machine, with 45 lines, and ten times for
 * 30 states with 60.
 */
function placement(edges: readonly ElkExtendedEdge[]): Record<string, string> {
  const strategy = edges.length <= mostForSimplex ? 'NETWORK_SIMPLEX' : 'LINEAR_SEGMENTS'
  return { 'elk.layered.nodePlacement.strategy': strategy }
}

const mostForSimplex = 40

export function elkGraph(chart: Chart, bundles: readonly Bundle[], contents: ReadonlyMap<string, Content>): ElkNode {
  const nodes = new Map(chart.nodes.map((node) => [node.path, node]))
  const edges = [...starts(chart), ...elkEdges(bundles)]
  const placed = placement(edges)
  const hubs = (path: string) =>
    hubsOf(bundles).flatMap(([one], index) =>
      one !== undefined && nodes.get(one.target)?.parent === path ? [elkHub(one.back, index)] : [],
    )
  const draw = (node: ChartNode): ElkNode => {
    const { width = 0, height = 0 } = contents.get(node.path) ?? {}
    const id = stateId(node.path)
    if (node.children.length === 0) return { id, width, height }
    const dot = node.initial === null ? [] : [{ id: dotId(node.path), width: dotSize, height: dotSize }]
    const children = node.children.flatMap((path) => nodes.get(path) ?? []).map(draw)
    return {
      id,
      children: [...dot, ...children, ...hubs(node.path)],
      layoutOptions: {
        ...level,
        ...placed,
        'elk.padding': paddingOf(node, height),
        'elk.nodeSize.constraints': 'MINIMUM_SIZE',
        'elk.nodeSize.minimum': `(${width}, ${height})`,
      },
    }
  }
  return {
    id: 'chart',
    layoutOptions: { ...whole, ...placed },
    children: chart.nodes.slice(0, 1).map(draw),
    edges,
  }
}

/** The root is the paper, and its regions fill it. It needs space at the top only for its own transitions. */
function paddingOf({ parent, kind }: ChartNode, header: number): string {
  if (parent === null && kind === 'parallel') return `[top=${header},left=0,bottom=0,right=0]`
  return `[top=${header + 8},left=20,bottom=20,right=20]`
}

function starts(chart: Chart): ElkExtendedEdge[] {
  return chart.nodes.flatMap(({ path, initial }) =>
    initial === null
      ? []
      : [{ id: startId(path), sources: [dotId(path)], targets: [stateId(initial)], layoutOptions: straight }],
  )
}

const straight = { 'elk.layered.priority.straightness': '10', 'elk.layered.priority.direction': '10' }

/**
 * A backward edge is passed to the engine in the opposite direction, and its route is reversed afterwards. So the graph has no cycle,
 * and layers follow the order of the lifecycle instead of the engine's own cycle breaking.
 */
function directed(id: string, from: string, to: string, back: boolean): ElkExtendedEdge {
  return { id, sources: [back ? to : from], targets: [back ? from : to] }
}

function elkEdges(bundles: readonly Bundle[]): ElkExtendedEdge[] {
  const hubs = hubsOf(bundles)
  const branches = hubs.flatMap(([one], index) =>
    (one?.sources ?? []).map((source) =>
      directed(branchId(index, source), stateId(source), inPort(index), one?.back ?? false),
    ),
  )
  const labelled = bundles.map((one, index) => {
    const hub = hubs.findIndex((all) => all.includes(one))
    const from = hub < 0 ? one.sources.map(stateId).join() : outPort(hub)
    const label = {
      id: `label ${index}`,
      text: '-',
      ...labelRoom(one.lines),
      layoutOptions: { 'elk.edgeLabels.inline': 'true' },
    }
    return { ...directed(edgeId(index), from, stateId(one.target), one.back), labels: [label] }
  })
  return [...branches, ...labelled]
}

const inPort = (hub: number): string => `in ${hub}`
const outPort = (hub: number): string => `out ${hub}`

/** The engine joins lines at one port, so a hub has one port for all incoming lines and one for all outgoing ones. */
function elkHub(back: boolean, index: number): ElkNode {
  const ports = [
    { id: inPort(index), layoutOptions: { 'elk.port.side': back ? 'SOUTH' : 'NORTH' } },
    { id: outPort(index), layoutOptions: { 'elk.port.side': back ? 'NORTH' : 'SOUTH' } },
  ]
  const layoutOptions = { 'elk.portConstraints': 'FIXED_SIDE' }
  return { id: hubId(index), width: hubSize, height: hubSize, ports, layoutOptions }
}
