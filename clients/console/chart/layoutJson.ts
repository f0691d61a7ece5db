/**
 * A layout as JSON. A transition or a state that the layout refers to is a number in it, its index in the chart. So both ends have each
 * of them once, and can compare them by identity.
 */
import type { ChartLayout } from './chartLayout.ts'
import type { Chart } from './model.ts'

export function stringifyLayout(layout: ChartLayout): string {
  const { nodes, edges } = layout.chart
  const nodeIndexes = new Map<unknown, number>(nodes.map((node, index) => [node, index]))
  const edgeIndexes = new Map<unknown, number>(edges.map((edge, index) => [edge, index]))
  return JSON.stringify(layout, (key, value: unknown) => {
    if (typeof value === 'number') return Math.round(value * 100) / 100
    if (key === 'node') return nodeIndexes.get(value)
    if (key === 'edge') return edgeIndexes.get(value)
    if (key === 'edges' && value !== edges) return (value as readonly unknown[]).map((edge) => edgeIndexes.get(edge))
    return value
  })
}

export function parseLayout(json: string): ChartLayout {
  const { chart } = JSON.parse(json) as { readonly chart: Chart }
  const layout = JSON.parse(json, (key, value: unknown) => {
    if (key === 'node') return chart.nodes[value as number]
    if (key === 'edge') return chart.edges[value as number]
    if (key === 'edges')
      return (value as readonly unknown[]).map((edge) => (typeof edge === 'number' ? chart.edges[edge] : edge))
    return value
  }) as ChartLayout
  return { ...layout, chart }
}
