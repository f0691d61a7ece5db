/** Converts a chart to the graph of the layout engine: nested nodes, a dot before each initial state, one edge for each bundle. */
import type { ElkExtendedEdge, ElkNode } from 'elkjs/lib/elk-api.js'
import { type EdgeBundle, groupByHub } from './edgeBundles.ts'
import { measureLabel } from './labels.ts'
import type { Chart, ChartNode } from './model.ts'
import type { StateContent } from './stateContent.ts'

export const stateId = (path: string): string => `state ${path}`
export const dotId = (path: string): string => `dot ${path}`
export const edgeId = (bundle: number): string => `edge ${bundle}`
export const hubId = (hub: number): string => `hub ${hub}`
export const branchId = (hub: number, source: string): string => `branch ${hub} ${source}`
export const startId = (path: string): string => `start ${path}`

export const dotSize = 10
export const hubSize = 8

/** The direction in which the states follow each other. */
export type ChartDirection = 'DOWN' | 'RIGHT'

/** Every state with children needs these options: under INCLUDE_CHILDREN each level is laid out with its own options. */
const levelOptions: Readonly<Record<string, string>> = {
  'elk.edgeRouting': 'ORTHOGONAL',
  'elk.spacing.nodeNode': '20',
  'elk.spacing.edgeNode': '14',
  'elk.spacing.edgeEdge': '10',
  'elk.spacing.edgeLabel': '4',
  'elk.layered.spacing.nodeNodeBetweenLayers': '30',
  'elk.layered.spacing.edgeNodeBetweenLayers': '16',
  'elk.layered.spacing.edgeEdgeBetweenLayers': '12',
}

const chartOptions: Readonly<Record<string, string>> = {
  ...levelOptions,
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
function choosePlacement(edges: readonly ElkExtendedEdge[]): Record<string, string> {
  const strategy = edges.length <= maxEdgesForSimplex ? 'NETWORK_SIMPLEX' : 'LINEAR_SEGMENTS'
  return { 'elk.layered.nodePlacement.strategy': strategy }
}

const maxEdgesForSimplex = 40

export function buildElkGraph(
  chart: Chart,
  bundles: readonly EdgeBundle[],
  contents: ReadonlyMap<string, StateContent>,
  direction: ChartDirection,
): ElkNode {
  const nodes = new Map(chart.nodes.map((node) => [node.path, node]))
  const edges = [...toStartEdges(chart), ...toElkEdges(bundles)]
  const sharedOptions = { 'elk.direction': direction, ...choosePlacement(edges) }
  const listHubs = (path: string) =>
    groupByHub(bundles).flatMap(([one], index) =>
      one !== undefined && nodes.get(one.target)?.parent === path ? [toElkHub(one.isBackward, index, direction)] : [],
    )
  const toElkNode = (node: ChartNode): ElkNode => {
    const { width = 0, height = 0 } = contents.get(node.path) ?? {}
    const id = stateId(node.path)
    if (node.children.length === 0) return { id, width, height }
    const dot = node.initial === null ? [] : [{ id: dotId(node.path), width: dotSize, height: dotSize }]
    const children = node.children.flatMap((path) => nodes.get(path) ?? []).map(toElkNode)
    return {
      id,
      children: [...dot, ...children, ...listHubs(node.path)],
      layoutOptions: {
        ...levelOptions,
        ...sharedOptions,
        'elk.padding': getPadding(node, height),
        'elk.nodeSize.constraints': 'MINIMUM_SIZE',
        'elk.nodeSize.minimum': `(${width}, ${height})`,
      },
    }
  }
  return {
    id: 'chart',
    layoutOptions: { ...chartOptions, ...sharedOptions },
    children: chart.nodes.slice(0, 1).map(toElkNode),
    edges,
  }
}

/** The root is the paper, and its regions fill it. It needs space at the top only for its own transitions. */
function getPadding({ parent, kind }: ChartNode, header: number): string {
  if (parent === null && kind === 'parallel') return `[top=${header},left=0,bottom=0,right=0]`
  return `[top=${header + 8},left=20,bottom=20,right=20]`
}

function toStartEdges(chart: Chart): ElkExtendedEdge[] {
  return chart.nodes.flatMap(({ path, initial }) =>
    initial === null
      ? []
      : [{ id: startId(path), sources: [dotId(path)], targets: [stateId(initial)], layoutOptions: straightOptions }],
  )
}

const straightOptions = { 'elk.layered.priority.straightness': '10', 'elk.layered.priority.direction': '10' }

/**
 * A backward edge is passed to the engine in the opposite direction, and its route is reversed afterwards. So the graph has no cycle,
 * and layers follow the order of the lifecycle instead of the engine's own cycle breaking.
 */
function createEdge(id: string, from: string, to: string, isBackward: boolean): ElkExtendedEdge {
  return { id, sources: [isBackward ? to : from], targets: [isBackward ? from : to] }
}

function toElkEdges(bundles: readonly EdgeBundle[]): ElkExtendedEdge[] {
  const hubs = groupByHub(bundles)
  const branches = hubs.flatMap(([one], index) =>
    (one?.sources ?? []).map((source) =>
      createEdge(branchId(index, source), stateId(source), inPort(index), one?.isBackward ?? false),
    ),
  )
  const labeled = bundles.map((one, index) => {
    const hub = hubs.findIndex((all) => all.includes(one))
    const from = hub < 0 ? one.sources.map(stateId).join() : outPort(hub)
    const label = {
      id: `label ${index}`,
      text: '-',
      ...measureLabel(one.lines),
      layoutOptions: { 'elk.edgeLabels.inline': 'true' },
    }
    return { ...createEdge(edgeId(index), from, stateId(one.target), one.isBackward), labels: [label] }
  })
  return [...branches, ...labeled]
}

const inPort = (hub: number): string => `in ${hub}`
const outPort = (hub: number): string => `out ${hub}`

/** The engine joins lines at one port, so a hub has one port for all incoming lines and one for all outgoing ones. */
function toElkHub(isBackward: boolean, index: number, direction: ChartDirection): ElkNode {
  const [before, after] = direction === 'DOWN' ? ['NORTH', 'SOUTH'] : ['WEST', 'EAST']
  const ports = [
    { id: inPort(index), layoutOptions: { 'elk.port.side': isBackward ? after : before } },
    { id: outPort(index), layoutOptions: { 'elk.port.side': isBackward ? before : after } },
  ]
  const layoutOptions = { 'elk.portConstraints': 'FIXED_SIDE' }
  return { id: hubId(index), width: hubSize, height: hubSize, ports, layoutOptions }
}
