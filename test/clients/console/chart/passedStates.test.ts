/** The states that an actor passed, as the strip shows them. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  listPassedStates,
  listRunStates,
  type PassedState,
  shortenStates,
  withCurrentStatus,
} from '../../../../clients/console/app/chart/passedStates.ts'

const began = Date.UTC(2026, 0, 5, 12)
const at = (ms: number) => new Date(began + ms).toISOString()
const change = (status: string, ms: number) => ({ status, at: at(ms) })

/** `QUEUED 2000`, `RUNNING since 5000`, `FAILED`. */
const describeAll = (states: readonly PassedState[]) =>
  states.map(({ status, duration }) => {
    if (duration === undefined) return status
    const ended = duration.ms > 0 || duration.since === null ? ` ${duration.ms}` : ''
    return `${status}${ended}${duration.since === null ? '' : ` since ${duration.since - began}`}`
  })

test('each state has the time until the next one, and a terminal one has none', () => {
  const changes = [change('QUEUED', 0), change('RUNNING', 28), change('FAILED', 2_028)]
  assert.deepEqual(describeAll(listPassedStates(changes, true)), ['QUEUED 28', 'RUNNING 2000', 'FAILED'])
})

test('the last state continues until the actor has ended', () => {
  assert.deepEqual(describeAll(listPassedStates([change('QUEUED', 0), change('RUNNING', 28)], false)), [
    'QUEUED 28',
    'RUNNING since 28',
  ])
})

test('transitions that keep the status are one state; a state that is entered again is another one', () => {
  const changes = [change('RUNNING', 0), change('RUNNING', 10), change('PAUSED', 30), change('RUNNING', 35)]
  assert.deepEqual(describeAll(listPassedStates([...changes, change('RUNNING', 40)], false)), [
    'RUNNING 30',
    'PAUSED 5',
    'RUNNING 5 since 40',
  ])
})

test('a terminal transition that keeps the status keeps its time', () => {
  assert.deepEqual(describeAll(listPassedStates([change('CLOSED', 0), change('CLOSED', 7)], true)), ['CLOSED 7'])
})

test('a status that is newer than the history is added, and the time before is not known', () => {
  const states = listPassedStates([change('QUEUED', 0), change('RUNNING', 28)], false)
  assert.deepEqual(describeAll(withCurrentStatus(states, 'SUCCEEDED')), ['QUEUED 28', 'RUNNING', 'SUCCEEDED'])
  assert.equal(withCurrentStatus(states, 'RUNNING'), states)
  assert.deepEqual(describeAll(withCurrentStatus([], 'IDLE')), ['IDLE'])
})

const times = { createdAt: at(0), queuedAt: at(5), admittedAt: null, startedAt: null, endedAt: null }

test('the states of a run follow from its times', () => {
  const admitted = { ...times, admittedAt: at(33) }
  const started = { ...admitted, startedAt: at(40) }
  const cases = [
    [{ ...times, queuedAt: null, status: 'QUEUED' }, ['QUEUED since 0']],
    [{ ...times, status: 'QUEUED' }, ['QUEUED since 5']],
    [{ ...admitted, status: 'ADMITTED' }, ['QUEUED 28', 'ADMITTED since 33']],
    [{ ...started, status: 'STARTING' }, ['QUEUED 28', 'ADMITTED 7', 'STARTING since 40']],
    [{ ...started, status: 'WAITING_FOR_INPUT' }, ['QUEUED 28', 'ADMITTED 7', 'RUNNING', 'WAITING_FOR_INPUT']],
    [{ ...started, status: 'SUCCEEDED', endedAt: at(2_040) }, ['QUEUED 28', 'ADMITTED 7', 'RUNNING 2000', 'SUCCEEDED']],
    [{ ...times, status: 'CANCELED', endedAt: at(105) }, ['QUEUED 100', 'CANCELED']],
  ] as const
  for (const [run, expected] of cases) assert.deepEqual(describeAll(listRunStates(run)), expected)
})

test('a long history is shortened in the middle, and the last states are kept', () => {
  const states = Array.from({ length: 17 }, (_, index): PassedState => ({ status: `S${index}`, duration: undefined }))
  const { first, hidden, last } = shortenStates(states, 6)
  assert.deepEqual([first, hidden, last].map(describeAll), [
    ['S0'],
    states.slice(1, 13).map(({ status }) => status),
    ['S13', 'S14', 'S15', 'S16'],
  ])
  assert.deepEqual(shortenStates(states.slice(0, 6), 6), { first: states.slice(0, 6), hidden: [], last: [] })
  for (let length = 0; length < 30; length++)
    for (let max = 2; max < 8; max++) {
      const parts = shortenStates(states.slice(0, length), max)
      assert.equal(parts.first.length + parts.hidden.length + parts.last.length, Math.min(length, states.length))
      assert.notEqual(parts.hidden.length, 1, 'the text for one hidden state takes as much room as the state')
    }
})
