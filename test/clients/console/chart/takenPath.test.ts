import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseChart } from '../../../../clients/console/chart/parseChart.ts'
import { findTakenPath } from '../../../../clients/console/chart/takenPath.ts'
import { nested } from './nested.ts'
import { run } from './run.ts'

const charts = { run: parseChart(run), nested: parseChart(nested) }
const both = (name: string, incident = 'CLEAR') => [`lifecycle.${name}`, `incident.${incident}`]

/** A journal entry, and the arrows that must be found for it: `from label [guard] to`. */
const cases: readonly [
  words: string,
  chart: keyof typeof charts,
  from: readonly string[],
  event: string,
  to: readonly string[],
  found: readonly string[],
][] = [
  ['a plain one', 'run', both('QUEUED'), 'admit', both('ADMITTED'), ['QUEUED admit ADMITTED']],
  [
    'one of several candidates',
    'run',
    both('RUNNING'),
    'jobEnded',
    both('CANCELED'),
    ['RUNNING jobEnded [canceled] CANCELED'],
  ],
  ['an internal one', 'run', both('RUNNING'), 'output', both('RUNNING'), ['RUNNING output']],
  [
    'a timer by its event',
    'run',
    both('STARTING'),
    'xstate.after.10000.run.lifecycle.STARTING',
    both('QUEUED'),
    ['STARTING after 10 s QUEUED'],
  ],
  ['a timer by its label', 'run', both('CANCELING'), 'after 30 s', both('LOST'), ['CANCELING after 30 s LOST']],
  ['in the other region', 'run', both('RUNNING'), 'effectFailed', both('RUNNING', 'OPEN'), ['CLEAR effectFailed OPEN']],
  [
    'the internal candidate where nothing moved',
    'run',
    both('LOST', 'OPEN'),
    'effectRecovered',
    both('LOST', 'OPEN'),
    ['OPEN effectRecovered'],
  ],
  [
    'the candidate that moved',
    'run',
    both('LOST', 'OPEN'),
    'effectRecovered',
    both('LOST'),
    ['OPEN effectRecovered [lastIncident] CLEAR'],
  ],
  ['a state around the active one', 'nested', ['opened.wide'], 'slam', ['closed.unlocked'], ['opened slam unlocked']],
  [
    'what follows by itself',
    'nested',
    ['closed.locked'],
    'open',
    ['opened.wide'],
    ['closed open ajar', 'ajar always [wind] wide'],
  ],
  ['a target with children', 'nested', ['opened.ajar'], 'close', ['closed.locked'], ['opened close [hasKey] closed']],
  ['any event', 'nested', ['opened.ajar'], 'whatever', ['opened.ajar'], ['ajar *']],
  ['the deepest that handles it', 'nested', ['opened.ajar'], 'ping', ['opened.ajar'], ['ajar *']],
  ['nothing for what the chart does not know', 'run', both('QUEUED'), 'strange', both('LOST'), []],
]

for (const [words, name, from, event, to, found] of cases) {
  test(`a step is found: ${words}`, () => {
    const way = findTakenPath(charts[name], { transitions: [{ from, event, to, at: 0 }], current: to })
    const told = [...way.edges.keys()].map(({ source, label, guard, target }) =>
      [last(source), label, guard && `[${guard}]`, target && last(target)].filter(Boolean).join(' '),
    )
    assert.deepEqual(told, found)
  })
}

test('the first step uses the arrows to first states', () => {
  const way = findTakenPath(charts.run, {
    transitions: [{ from: [], event: 'xstate.init', to: both('QUEUED'), at: 0 }],
    current: [],
  })
  assert.deepEqual(
    [...way.starts],
    [
      ['lifecycle.QUEUED', [1]],
      ['incident.CLEAR', [1]],
    ],
  )
})

test('a transition that is taken again has both numbers', () => {
  const round = [
    { from: both('RUNNING'), event: 'pause', to: both('PAUSED'), at: 0 },
    { from: both('PAUSED'), event: 'resume', to: both('RUNNING'), at: 1 },
  ]
  const way = findTakenPath(charts.run, { transitions: [...round, ...round], current: both('RUNNING') })
  assert.deepEqual(
    [...way.edges.values()],
    [
      [1, 3],
      [2, 4],
    ],
  )
  assert.deepEqual([...way.current], ['', 'lifecycle', 'lifecycle.RUNNING', 'incident', 'incident.CLEAR'])
})

function last(path: string): string {
  return path.split('.').at(-1) ?? ''
}
