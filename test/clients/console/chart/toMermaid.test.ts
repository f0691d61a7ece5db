/** Charts as Mermaid text: they contain every state and transition of every machine at its place. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseChart } from '../../../../clients/console/chart/parseChart.ts'
import { toMermaid } from '../../../../clients/console/chart/toMermaid.ts'
import { machines } from '../../../../machines/machines.ts'

test('the whole text of a small chart is as expected', () => {
  const chart = parseChart({
    id: 'lamp',
    initial: 'off',
    states: {
      off: { meta: { label: 'Dark' }, on: { press: { target: 'on', guard: 'hasBulb' }, clean: { actions: 'wipe' } } },
      on: { initial: 'dim', after: { 1000: 'off' }, states: { dim: { on: { press: 'bright' } }, bright: {} } },
      broken: { tags: 'terminal' },
    },
    on: { drop: '.broken' },
  })
  assert.equal(
    toMermaid(chart),
    `stateDiagram-v2
  state "off: Dark" as off
  off : clean
  state "on" as on {
    state "dim" as on__dim
    state "bright" as on__bright
    [*] --> on__dim
    on__dim --> on__bright : press
  }
  state "broken" as broken
  [*] --> off
  off --> on : press [hasBulb]
  on --> off : after 1 s
  broken --> [*]
  %% from any state: drop --> broken
`,
  )
})

for (const [kind, { machine }] of Object.entries(machines))
  test(`${kind}: every state and every transition is in the text exactly once`, () => {
    const chart = parseChart(machine.config)
    const lines = toMermaid(chart).trimEnd().split('\n')
    const declared = lines.flatMap((line) => /^\s*state ".*" as (\S+)/.exec(line)?.[1] ?? []).sort()
    assert.deepEqual(
      declared,
      chart.nodes.flatMap(({ path }) => (path === '' ? [] : [path.replaceAll('.', '__')])).sort(),
    )
    const arrows = lines.filter((line) => / --> .* : |%% from any state/.test(line)).length
    assert.equal(arrows, chart.edges.filter(({ target }) => target !== null).length)
    const depth = lines.reduce((open, line) => open + (line.endsWith('{') ? 1 : 0) - (line.trim() === '}' ? 1 : 0), 0)
    assert.equal(depth, 0, 'every brace is closed')
  })
