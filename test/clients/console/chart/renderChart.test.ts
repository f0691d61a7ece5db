import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { loadBundledEngine } from '../../../../clients/console/chart/bundledEngine.ts'
import { drawChart } from '../../../../clients/console/chart/drawChart.ts'
import { layoutChart } from '../../../../clients/console/chart/layoutChart.ts'
import { parseChart } from '../../../../clients/console/chart/parseChart.ts'
import { renderChart } from '../../../../clients/console/chart/renderChart.ts'
import { nested } from './nested.ts'
import { run } from './run.ts'
import { assertXml } from './xml.ts'

const both = (name: string) => [`lifecycle.${name}`, 'incident.CLEAR']
const taken = {
  transitions: [
    { from: [], to: both('QUEUED'), event: 'xstate.init', at: 1_000 },
    { from: both('QUEUED'), to: both('ADMITTED'), event: 'admit', at: 3_500 },
    { from: both('ADMITTED'), to: both('STARTING'), event: 'worktreeReady', at: 4_000 },
    { from: both('STARTING'), to: both('CANCELING'), event: 'cancel', at: 9_000 },
  ],
  current: both('CANCELING'),
}
const count = (svg: string, part: string) => svg.split(part).length - 1

describe('the picture of a run', () => {
  const chart = parseChart(run)
  let laidOut: Awaited<ReturnType<typeof layoutChart>>
  let plain: string
  let svg: string

  before(async () => {
    laidOut = await layoutChart(chart, await loadBundledEngine())
    plain = renderChart(laidOut, { title: 'Run' })
    svg = renderChart(laidOut, { title: 'Run <1>', subtitle: 'a & b', trace: taken, theme: 'light' })
  })

  test('is well-formed', () => {
    assertXml(plain)
    assertXml(svg)
  })

  test('has every state once', () => {
    for (const { name, parent } of chart.nodes)
      if (parent !== null) assert.equal(count(plain, `>${name}</text>`), 1, name)
    assert.equal(count(plain, 'class="inner"'), 6)
  })

  test('has every event once', () => {
    const lines = laidOut.connections.flatMap((one) => one.lines)
    assert.equal(count(plain, 'class="event"'), lines.length)
    assert.equal(count(plain, 'class="ring"'), chart.edges.filter(({ target }) => target === null).length)
    assert.equal(count(plain, 'class="head"'), laidOut.connections.length + laidOut.starts.length)
  })

  test('shows the taken transitions, their times and the current states', () => {
    assert.equal(count(plain, 'taken"'), 0)
    // The two arrows to first states, and three transitions of which the last goes by a hub.
    assert.equal(count(svg, 'class="event used"'), 3)
    assert.equal(count(svg, 'class="start taken"'), 2)
    assert.equal(count(svg, 'current"'), 2)
    assert.equal(count(svg, 'visited"'), 3)
    for (const time of ['+2.5 s', '+3 s', '+8 s']) assert.equal(count(svg, time), 1)
  })

  test('has its title and its content as text for screen readers', () => {
    assert.match(svg, /role="img" aria-label="Run &lt;1&gt;"><title>Run &lt;1&gt;<\/title><desc>a &amp; b\./)
    assert.match(svg, /The way taken: start to lifecycle\.QUEUED and incident\.CLEAR, admit to/)
  })

  test('is one file without links, and follows the color scheme unless it has a theme of its own', () => {
    assert.doesNotMatch(plain, /href|url\(|@import|<script/)
    assert.match(plain, /prefers-color-scheme:dark/)
    assert.doesNotMatch(svg, /prefers-color-scheme/)
  })
})

test('the same input gives the same bytes', async () => {
  const draw = () => drawChart(JSON.stringify(run), { title: 'Run', trace: taken, theme: 'dark' })
  const [first, second] = [await draw(), await draw()]
  assert.equal(first, second)
  assert.equal(first, await drawChart(run, { title: 'Run', trace: taken, theme: 'dark' }))
})

test('the picture of nested states is well-formed, whatever characters its texts have', async () => {
  const words = { ...nested, on: { '<&">\u0000\ud800': { actions: 'x' }, 'Größe 中文': '.gone' } }
  const svg = await drawChart(words, { title: 'Door' })
  assertXml(svg)
  assert.ok(svg.includes('&lt;&amp;&quot;&gt;') && svg.includes('Größe 中文'))
})
