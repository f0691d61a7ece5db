import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { formatDelay } from '../../../../clients/console/chart/formatDelay.ts'
import { parseChart } from '../../../../clients/console/chart/parseChart.ts'
import { nested } from './nested.ts'
import { run } from './run.ts'

describe('states', () => {
  const chart = parseChart(JSON.stringify(run))
  const node = (path: string) => chart.nodes.find((one) => one.path === path)

  test('a parallel machine has regions', () => {
    assert.deepEqual(
      ['', 'lifecycle', 'incident', 'lifecycle.QUEUED'].map((path) => node(path)?.kind),
      ['parallel', 'region', 'region', 'atomic'],
    )
    assert.deepEqual(node('')?.children, ['lifecycle', 'incident'])
    assert.equal(node('')?.initial, null)
    assert.equal(node('lifecycle')?.initial, 'lifecycle.QUEUED')
  })

  test('a state has its label and what it waits for', () => {
    assert.equal(node('lifecycle.QUEUED')?.label, 'Waiting for its turn')
    assert.deepEqual(node('lifecycle.STARTING')?.meta, {
      label: 'Starting',
      waitsFor: 'the agent to accept the job',
      expected: 10_000,
    })
  })

  test('a state is terminal by its tag or by its type', () => {
    const terminal = (nodes: typeof chart.nodes) => nodes.filter((one) => one.terminal).map(({ name }) => name)
    assert.deepEqual(terminal(chart.nodes), ['SUCCEEDED', 'FAILED', 'CANCELED', 'TIMED_OUT', 'LOST', 'SKIPPED'])
    assert.deepEqual(terminal(parseChart(nested).nodes), ['rubble', 'gone'])
  })
})

describe('transitions', () => {
  const told = (definition: object) =>
    parseChart(definition).edges.map(({ label, guard, target }) => [label, guard, target])
  const one = (state: object) => told({ id: 'm', initial: 'a', states: { a: state, b: {} } })

  const cases: readonly [words: string, state: object, expected: unknown][] = [
    ['a string', { on: { go: 'b' } }, [['go', null, 'b']]],
    ['an object', { on: { go: { target: 'b', actions: 'x' } } }, [['go', null, 'b']]],
    ['a list of targets', { on: { go: { target: ['b'] } } }, [['go', null, 'b']]],
    ['without a target', { on: { go: { actions: 'x' } } }, [['go', null, null]]],
    ['forbidden', { on: { go: undefined } }, []],
    [
      'candidates with guards',
      { on: { go: [{ guard: 'g', target: 'b' }, { guard: { type: 'h' }, target: 'a' }, { guard: { function: '' } }] } },
      [
        ['go', 'g', 'b'],
        ['go', 'h', 'a'],
        ['go', '…', null],
      ],
    ],
    ['after a time', { after: { 1500: 'b' } }, [['after 1.5 s', null, 'b']]],
    ['after a named time', { after: { limit: 'b' } }, [['after limit', null, 'b']]],
    ['always', { always: [{ guard: 'g', target: 'b' }] }, [['always', 'g', 'b']]],
    ['when done', { onDone: 'b' }, [['done', null, 'b']]],
  ]
  for (const [words, state, expected] of cases) {
    test(words, () => assert.deepEqual(one(state), expected))
  }

  test('an unknown target is an error that names it', () => {
    assert.throws(() => one({ on: { go: 'nowhere' } }), /"nowhere" of "a"/)
  })

  test('a definition that is not an object is refused', () => assert.throws(() => parseChart('[]'), TypeError))
})

test('durations have a short form with one unit', () => {
  const cases: readonly [number, string][] = [
    [0, '0 ms'],
    [250, '250 ms'],
    [10_000, '10 s'],
    [75_000, '1.25 min'],
    [90_000, '1.5 min'],
    [100_000, '1.7 min'],
    [3_600_000, '1 h'],
    [172_800_000, '2 d'],
  ]
  for (const [ms, words] of cases) assert.equal(formatDelay(ms), words)
})
