/** Converts a chart to a Mermaid state diagram. Source: mermaid.js.org/syntax/stateDiagram.html */
import { type Chart, type ChartEdge, type ChartNode, isWithin } from './model.ts'

export function toMermaid(chart: Chart): string {
  const nodes = new Map(chart.nodes.map((node) => [node.path, node]))
  const root = nodes.get('')
  if (root === undefined) return 'stateDiagram-v2\n'
  // An arrow needs a source state, and the root is not one.
  const anywhere = chart.edges.filter(({ source, target }) => source === '' && target !== null)
  const lines = [
    'stateDiagram-v2',
    ...writeChildren(root, chart, nodes, 1),
    ...anywhere.map((edge) => `  %% from any state: ${formatLabel(edge)} --> ${toMermaidId(edge.target ?? '')}`),
  ]
  return `${lines.join('\n')}\n`
}

type Nodes = ReadonlyMap<string, ChartNode>

/** Returns the content of a state: its states, its initial state, and the transitions between them. */
function writeChildren(node: ChartNode, chart: Chart, nodes: Nodes, depth: number): readonly string[] {
  const children = node.children.flatMap((path) => nodes.get(path) ?? [])
  const indent = '  '.repeat(depth)
  const states = children.map((child) => writeState(child, chart, nodes, depth))
  // Regions are beside each other in one state.
  const own = chart.edges
    .filter((edge) => isCommonParent(edge, node, nodes))
    .map(
      (edge) =>
        `${indent}${toMermaidId(edge.source)} --> ${toMermaidId(edge.target ?? edge.source)} : ${formatLabel(edge)}`,
    )
  if (node.kind === 'parallel')
    return [...states.flatMap((lines, index) => (index === 0 ? lines : [`${indent}--`, ...lines])), ...own]
  return [
    ...states.flat(),
    ...(node.initial === null ? [] : [`${indent}[*] --> ${toMermaidId(node.initial)}`]),
    ...own,
    ...children.filter(({ terminal }) => terminal).map(({ path }) => `${indent}${toMermaidId(path)} --> [*]`),
  ]
}

function writeState(node: ChartNode, chart: Chart, nodes: Nodes, depth: number): readonly string[] {
  const indent = '  '.repeat(depth)
  const name = node.label === node.name ? node.name : `${node.name}: ${node.label}`
  const declared = `${indent}state "${name.replaceAll('"', "'")}" as ${toMermaidId(node.path)}`
  const events = chart.edges.filter(({ source, target }) => source === node.path && target === null)
  const eventLines = events.map((edge) => `${indent}${toMermaidId(node.path)} : ${formatLabel(edge)}`)
  if (node.children.length === 0) return [declared, ...eventLines]
  return [`${declared} {`, ...writeChildren(node, chart, nodes, depth + 1), `${indent}}`, ...eventLines]
}

/** Returns whether this is the innermost state that contains both ends. Mermaid draws an arrow in the state that declares it. */
function isCommonParent({ source, target }: ChartEdge, node: ChartNode, nodes: Nodes): boolean {
  if (target === null) return false
  const contains = (one: ChartNode) => isInside(source, one.path) && isInside(target, one.path)
  return contains(node) && !node.children.some((path) => containsBoth(nodes.get(path), contains))
}

function containsBoth(node: ChartNode | undefined, contains: (node: ChartNode) => boolean): boolean {
  return node !== undefined && contains(node)
}

function isInside(path: string, outer: string): boolean {
  return path !== outer && isWithin(path, outer)
}

function formatLabel({ label, guard }: ChartEdge): string {
  return guard === null ? label : `${label} [${guard}]`
}

function toMermaidId(path: string): string {
  return path.replaceAll('.', '__')
}
