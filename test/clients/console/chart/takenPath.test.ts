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
  [
    'one in the other region',
    'run',
    both('RUNNING'),
    'effectFailed',
    both('RUNNING', 'OPEN'),
    ['CLEAR effectFailed OPEN'],
  ],
  [
    'the internal candidate if the state stays',
    'run',
    both('LOST', 'OPEN'),
    'effectRecovered',
    both('LOST', 'OPEN'),
    ['OPEN effectRecovered'],
  ],
  [
    'the candidate that changes the state',
    'run',
    both('LOST', 'OPEN'),
    'effectRecovered',
    both('LOST'),
    ['OPEN effectRecovered [lastIncident] CLEAR'],
  ],
  [
    'one of a parent of the active state',
    'nested',
    ['opened.wide'],
    'slam',
    ['closed.unlocked'],
    ['opened slam unlocked'],
  ],
  [
    'one with an eventless transition that follows it',
    'nested',
    ['closed.locked'],
    'open',
    ['opened.wide'],
    ['closed open ajar', 'ajar always [wind] wide'],
  ],
  [
    'one to a state with children',
    'nested',
    ['opened.ajar'],
    'close',
    ['closed.locked'],
    ['opened close [hasKey] closed'],
  ],
  ['one for any event', 'nested', ['opened.ajar'], 'whatever', ['opened.ajar'], ['ajar *']],
  ['one of the deepest state that handles the event', 'nested', ['opened.ajar'], 'ping', ['opened.ajar'], ['ajar *']],
  ['none for an event that the chart does not have', 'run', both('QUEUED'), 'strange', both('LOST'), []],
]

for (const [words, name, from, event, to, found] of cases) {
  test(`the taken transition is found: ${words}`, () => {
    const way = findTakenPath(charts[name], { transitions: [{ from, event, to, at: 0 }], current: to })
    const told = [...way.edges.keys()].map(({ source, label, guard, target }) =>
      [last(source), label, guard && `[${guard}]`, target && last(target)].filter(Boolean).join(' '),
    )
    assert.deepEqual(told, found)
  })
}

test('the first transition takes the arrows to the initial states', () => {
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

test('a transition that is taken twice has both numbers', () => {
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
