/** A layout that a page receives as JSON. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { loadBundledEngine } from '../../../../clients/console/chart/bundledEngine.ts'
import type { ChartLayout } from '../../../../clients/console/chart/chartLayout.ts'
import { layoutChart } from '../../../../clients/console/chart/layoutChart.ts'
import { parseLayout, stringifyLayout } from '../../../../clients/console/chart/layoutJson.ts'
import { parseChart } from '../../../../clients/console/chart/parseChart.ts'
import { nested } from './nested.ts'
import { run } from './run.ts'

const engine = await loadBundledEngine()

const listEdges = ({ connections, hubs, boxes }: ChartLayout) => [
  ...connections.flatMap(({ lines }) => lines.flatMap(({ edges }) => edges)),
  ...hubs.flatMap(({ branches }) => branches.flatMap(({ edges }) => edges)),
  ...boxes.flatMap(({ internals }) => internals.map(({ edge }) => edge)),
]

for (const [name, definition] of Object.entries({ run, nested }))
  test(`the layout of "${name}" is the same after the transfer, except for fractions of a pixel`, async () => {
    const layout = await layoutChart(parseChart(definition), engine, { figures: true })
    const received = parseLayout(stringifyLayout(layout))
    const round = (one: ChartLayout) =>
      JSON.parse(JSON.stringify(one, (_, value) => (typeof value === 'number' ? Math.round(value) : value)))
    assert.deepEqual(round(received), round(layout))
    // The taken path and the counts of transitions are found by identity.
    const edges = listEdges(received)
    assert.ok(edges.length > 0)
    for (const edge of edges) assert.ok(received.chart.edges.includes(edge), JSON.stringify(edge))
    for (const { node } of received.boxes) assert.ok(received.chart.nodes.includes(node), node.path)
  })
