import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { compile } from '../../../../actors/decide/logic.ts'
import { loadBundledEngine } from '../../../../clients/console/chart/bundledEngine.ts'
import { type Box, listRoutes } from '../../../../clients/console/chart/chartLayout.ts'
import { layoutChart } from '../../../../clients/console/chart/layoutChart.ts'
import type { Chart, ChartNode } from '../../../../clients/console/chart/model.ts'
import { parseChart } from '../../../../clients/console/chart/parseChart.ts'
import type { Definition } from '../../../../machines/framework/define.ts'
import { machines } from '../../../../machines/machines.ts'
import { overlaps } from './geometry.ts'
import { nested } from './nested.ts'
import { run } from './run.ts'

const engine = await loadBundledEngine()
const charts = { run: parseChart(run), nested: parseChart(nested) }
const all = [
  ...Object.entries(charts),
  ...Object.values(machines).map((definition) => {
    return [`machine ${definition.kind}`, parseChart(compile(definition as Definition).source)] as const
  }),
]

const getLabel = ({ label }: ChartNode) => label
const cases = all.flatMap(([name, chart]) => [
  [`the chart of "${name}"`, chart, {}] as const,
  [`the chart of "${name}" with room for figures`, chart, { figures: true }] as const,
  [`the chart of "${name}" from left to right`, chart, { figures: true, direction: 'RIGHT', getLabel }] as const,
])

for (const [name, chart, options] of cases) {
  describe(name, async () => {
    const laidOut = await layoutChart(chart, engine, options)

    test('has no label over a state or another label', () => assert.deepEqual(overlaps(laidOut), []))

    test('has every state once, and within its parent', () => {
      const boxes = new Map(laidOut.boxes.map((box) => [box.node.path, box]))
      assert.equal(laidOut.boxes.length, chart.nodes.length)
      assert.deepEqual(
        [...boxes.keys()],
        chart.nodes.map(({ path }) => path),
      )
      for (const box of laidOut.boxes) {
        const parent = boxes.get(box.node.parent ?? '')
        assert.ok(parent && isInside(box, parent), box.node.path)
      }
    })

    test('has every transition once, in a label or in a state', () => {
      const labelled = laidOut.connections.flatMap(({ lines }) => lines.flatMap(({ edges }) => edges))
      const listed = laidOut.boxes.flatMap(({ internals }) => internals.map(({ edge }) => edge))
      const shown = [...labelled, ...listed]
      assert.equal(new Set(shown).size, shown.length)
      assert.deepEqual(new Set(shown), new Set(chart.edges))
    })

    test('has only horizontal and vertical lines', () => {
      for (const points of listRoutes(laidOut)) {
        points.slice(1).forEach((to, index) => {
          const from = points[index]
          assert.ok(from && (Math.abs(from.x - to.x) < 0.01 || Math.abs(from.y - to.y) < 0.01))
        })
      }
    })

    test('has lines that begin and end at their states', () => {
      const boxes = new Map(laidOut.boxes.map((box) => [box.node.path, box]))
      for (const { sources, target, routes } of laidOut.connections) {
        assert.ok(touches(boxes.get(target), routes.at(-1)?.at(-1)), `to ${target}`)
        if (sources.length === 1) assert.ok(touches(boxes.get(sources[0] ?? ''), routes[0]?.[0]), `from ${sources[0]}`)
      }
      for (const { at, branches } of laidOut.hubs) {
        for (const { source, routes } of branches) {
          const [begin, end] = [routes[0]?.[0], routes.at(-1)?.at(-1)]
          assert.ok(touches(boxes.get(source), begin), `from ${source}`)
          const distances = [Math.abs((end?.x ?? 0) - at.x), Math.abs((end?.y ?? 0) - at.y)]
          const [across = 0, along = 0] = 'direction' in options ? distances.toReversed() : distances
          assert.ok(end && across < 1 && along < 6, `from ${source} to its hub`)
        }
      }
    })
  })
}

test('states with the same transitions share a hub', async () => {
  const { hubs, connections } = await layoutChart(charts.run, engine)
  const shared = connections.filter(({ sources }) => sources.length > 1)
  assert.deepEqual(
    shared.map(({ sources, target, lines }) => [sources.length, target, lines.map(({ event }) => event)]),
    [
      [4, 'lifecycle.CANCELING', ['cancel']],
      [3, 'lifecycle.LOST', ['leaseExpired']],
    ],
  )
  assert.deepEqual(
    hubs.map(({ branches }) => branches.length),
    [4, 3],
  )
})

test('regions are side by side with a dashed line between them', async () => {
  const { boxes, dividers } = await layoutChart(charts.run, engine)
  const [left, right] = boxes.filter(({ node }) => node.kind === 'region')
  assert.equal(dividers.length, 1)
  assert.equal(left && left.x + left.width, right?.x)
  assert.deepEqual([left?.y, left?.height], [right?.y, right?.height])
  assert.equal(dividers[0]?.from.x, right?.x)
})

test('from left to right, regions are one above the other with a dashed line between them', async () => {
  const { boxes, dividers, width, height } = await layoutChart(charts.run, engine, { direction: 'RIGHT' })
  const [upper, lower] = boxes.filter(({ node }) => node.kind === 'region')
  assert.equal(dividers.length, 1)
  assert.equal(upper && upper.y + upper.height, lower?.y)
  assert.deepEqual([upper?.x, upper?.width], [lower?.x, lower?.width])
  assert.equal(dividers[0]?.from.y, lower?.y)
  assert.ok(width > height, `${width} × ${height}`)
})

/** A ring of states, each with a second transition that skips two of them. */
function ring(count: number): Chart {
  const states = Array.from({ length: count }, (_, index) => [
    `s${index}`,
    { on: { next: `s${(index + 1) % count}`, skip: `s${(index + 3) % count}` } },
  ])
  return parseChart({ id: 'ring', initial: 's0', states: Object.fromEntries(states) })
}

/** Milliseconds of processor time, the best of three: other tests run beside this one, and the first layouts warm the engine up. */
async function timeLayout(chart: Chart): Promise<number> {
  const times: number[] = []
  for (let count = 0; count < 3; count++) {
    const began = process.cpuUsage()
    await layoutChart(chart, engine, { figures: true })
    const { user, system } = process.cpuUsage(began)
    times.push((user + system) / 1_000)
  }
  return Math.min(...times)
}

// Machines differ in speed, so times are compared with each other. On a fast one, a ring of 40 states takes a third of a second.
test('a layout of twice the states takes less than 8 times as long, and that of each machine less than a ring of 40 states', async () => {
  const [small, large] = [await timeLayout(ring(20)), await timeLayout(ring(40))]
  assert.ok(large < 8 * small, `40 states took ${large} ms, and 20 took ${small} ms`)
  for (const [name, chart] of all) {
    const ms = await timeLayout(chart)
    assert.ok(ms < large, `${name} took ${ms} ms, and a ring of 40 states took ${large} ms`)
  }
})

test('states of a ring of 40 do not overlap', async () => {
  assert.deepEqual(overlaps(await layoutChart(ring(40), engine)), [])
})

test('random charts are laid out without overlaps', async () => {
  const name = fc.integer({ min: 0, max: 6 }).map((index) => `s${index}`)
  const target = fc.oneof(
    name,
    name.map((one) => `#m.${one}`),
    fc.constant('#m.s0.t1'),
    fc.constant('#m'),
  )
  const state = fc.record({ on: fc.dictionary(fc.constantFrom('a', 'b', 'c', 'd'), target, { maxKeys: 4 }) })
  const child = fc.record({
    on: fc.dictionary(fc.constantFrom('a', 'e'), fc.constantFrom('t0', 't1', '#m.s3', '#m.s0')),
  })
  const machine = fc.tuple(fc.array(state, { minLength: 7, maxLength: 7 }), child, child).map(([states, t0, t1]) => ({
    id: 'm',
    initial: 's0',
    states: Object.fromEntries(
      states.map((one, index) => [`s${index}`, index === 0 ? { ...one, initial: 't0', states: { t0, t1 } } : one]),
    ),
  }))
  await fc.assert(
    fc.asyncProperty(machine, async (definition) => {
      assert.deepEqual(overlaps(await layoutChart(parseChart(definition), engine)), [])
    }),
    { numRuns: 25, seed: 7 },
  )
})

function isInside(box: Box, parent: Box): boolean {
  const slack = 0.5
  return (
    box.x >= parent.x - slack &&
    box.y >= parent.y - slack &&
    box.x + box.width <= parent.x + parent.width + slack &&
    box.y + box.height <= parent.y + parent.height + slack
  )
}

function touches(box: Box | undefined, point: { x: number; y: number } | undefined): boolean {
  if (box === undefined || point === undefined) return false
  const slack = 1
  const onX = Math.min(Math.abs(point.x - box.x), Math.abs(point.x - box.x - box.width)) < slack
  const onY = Math.min(Math.abs(point.y - box.y), Math.abs(point.y - box.y - box.height)) < slack
  const inX = point.x > box.x - slack && point.x < box.x + box.width + slack
  const inY = point.y > box.y - slack && point.y < box.y + box.height + slack
  return (onX && inY) || (onY && inX)
}
