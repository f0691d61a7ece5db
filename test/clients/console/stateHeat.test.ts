/** A kind as a heat map: the actors in each state and their time in it, the transitions of each arrow, and the states that fill up. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import '../../kit/console/english.ts'
import { computeHeat, findBottlenecks, formatRate, getTopState } from '../../../clients/console/app/chart/stateHeat.ts'
import { parseChart } from '../../../clients/console/chart/parseChart.ts'
import { countEdges } from '../../../clients/console/chart/transitionCounts.ts'

const now = Date.UTC(2026, 0, 5, 12)
const ago = (minutes: number) => new Date(now - minutes * 60_000).toISOString()
const standing = (status: string, count: number) => ({
  status,
  count,
  oldestAt: ago(180),
  p50At: ago(3),
  p99At: ago(125),
})

test('a state shows the number of its actors and how long they have been in it', () => {
  const heat = computeHeat([standing('QUEUED', 1_204), standing('RUNNING', 1)], { now })
  assert.equal(heat.get('QUEUED')?.figures, '1,204 · 3 min–2 h')
  assert.equal(
    computeHeat([{ ...standing('LOST', 7), p99At: ago(3) }], { now }).get('LOST')?.figures,
    '7 · 3 min',
    'equal times are shown once',
  )
  assert.equal(computeHeat([{ ...standing('LOST', 7), p99At: ago(9) }], { now }).get('LOST')?.figures, '7 · 3–9 min')
  assert.match(
    heat.get('lifecycle.QUEUED')?.description ?? '',
    /^1,204 actors; .* half at most 3 min, 99 in 100 at most 2 h 5 min, longest 3 h$/,
  )
  assert.equal(heat.get('QUEUED')?.share, 1)
  assert.ok((heat.get('RUNNING')?.share ?? 1) < 0.2)
})

test('by time, the color follows the median, however many actors there are', () => {
  const counts = [standing('QUEUED', 1_204), { ...standing('RUNNING', 1), p50At: ago(600) }, standing('LOST', 9)]
  const heat = computeHeat(counts, { now, measure: 'time', terminalStates: new Set(['LOST']) })
  assert.equal(heat.get('RUNNING')?.share, 1)
  assert.ok((heat.get('QUEUED')?.share ?? 1) < 1)
  assert.equal(heat.get('LOST')?.share, 0)
})

test('a terminal state has the lowest heat, and the other states are compared without it', () => {
  const heat = computeHeat([standing('SUCCEEDED', 90_000), standing('QUEUED', 3)], {
    now,
    terminalStates: new Set(['SUCCEEDED']),
  })
  assert.equal(heat.get('SUCCEEDED')?.share, 0)
  assert.equal(heat.get('SUCCEEDED')?.figures, '90,000 · 3 min–2 h')
  assert.equal(heat.get('QUEUED')?.share, 1)
})

test('each arrow has the number of its transitions', () => {
  const chart = parseChart({
    id: 'door',
    initial: 'OPEN',
    states: {
      OPEN: { on: { close: 'CLOSED', wind: 'CLOSED' } },
      CLOSED: { on: { open: 'OPEN', knock: {} }, after: { 60000: 'LOCKED' } },
      LOCKED: { tags: ['terminal'] },
    },
  })
  const { edges, starts } = countEdges(chart, [
    { event: 'create', from: null, to: 'OPEN', count: 7 },
    { event: 'close', from: 'OPEN', to: 'CLOSED', count: 5 },
    { event: 'wind', from: 'OPEN', to: 'CLOSED', count: 2 },
    { event: 'knock', from: 'CLOSED', to: 'CLOSED', count: 90 },
    { event: 'xstate.after.60000.door.CLOSED', from: 'CLOSED', to: 'LOCKED', count: 3 },
    { event: 'of another version', from: 'AJAR', to: 'OPEN', count: 4 },
  ])
  const counts = Object.fromEntries([...edges].map(([{ source, label }, count]) => [`${source} ${label}`, count]))
  assert.deepEqual(counts, { 'OPEN close': 5, 'OPEN wind': 2, 'CLOSED knock': 90, 'CLOSED after 1 min': 3 })
  assert.deepEqual([...starts], [['OPEN', 7]])
})

test('a state is a bottleneck if more actors enter it than leave it, unless it is terminal', () => {
  const inRegion = (lifecycle: string) => ({ lifecycle, incident: 'NONE' })
  const piles = findBottlenecks(
    [standing('QUEUED', 40), standing('RUNNING', 3), standing('SUCCEEDED', 9), standing('WAITING', 12)],
    [
      { event: 'create', from: null, to: inRegion('QUEUED'), count: 50 },
      { event: 'start', from: inRegion('QUEUED'), to: inRegion('RUNNING'), count: 10 },
      { event: 'ask', from: inRegion('RUNNING'), to: inRegion('WAITING'), count: 5 },
      { event: 'end', from: inRegion('RUNNING'), to: inRegion('SUCCEEDED'), count: 9 },
      { event: 'note', from: inRegion('RUNNING'), to: inRegion('RUNNING'), count: 99 },
    ],
    new Set(['SUCCEEDED']),
  )
  assert.deepEqual(piles, [
    { status: 'QUEUED', count: 40, netEntered: 40 },
    { status: 'WAITING', count: 12, netEntered: 5 },
  ])
})

test('the status is the top state of the lifecycle', () => {
  assert.equal(getTopState('OPEN'), 'OPEN')
  assert.equal(getTopState({ RUNNING: 'EXECUTING' }), 'RUNNING')
  assert.equal(getTopState({ lifecycle: { RUNNING: 'EXECUTING' }, incident: 'NONE' }), 'RUNNING')
})

test('a rate is shown per minute, and per hour if it is low', () => {
  assert.equal(formatRate(3_600, 3_600_000), '60/min')
  assert.equal(formatRate(90, 3_600_000), '1.5/min')
  assert.equal(formatRate(6, 3_600_000), '6/h')
  assert.equal(formatRate(5_000, 2_000), '150,000/min')
})
