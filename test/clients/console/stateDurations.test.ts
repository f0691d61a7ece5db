/** The time that an actor spent in each of its states, as shown in its chart. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { getTotalMs, measureStateDurations } from '../../../clients/console/app/chart/stateDurations.ts'
import { formatDuration, formatRoughDuration } from '../../../clients/console/app/parts/formatDuration.ts'

const began = Date.UTC(2026, 0, 5, 12)
const step = (lifecycle: string, afterMs: number) => ({
  to: { lifecycle, incident: 'CLEAR' },
  at: new Date(began + afterMs).toISOString(),
})
const steps = [step('QUEUED', 0), step('RUNNING', 2_000), step('PAUSED', 5_000), step('RUNNING', 5_400)]

/** Milliseconds by path, so long after it was made. */
function totals(of: typeof steps, terminal: boolean, afterMs: number) {
  const times = [...measureStateDurations(of, terminal)]
  return Object.fromEntries(times.map(([path, stood]) => [path, getTotalMs(stood, began + afterMs)]))
}

test('every stay in a state counts, and the last one lasts until now', () => {
  assert.deepEqual(totals(steps, false, 10_000), {
    'lifecycle.QUEUED': 2_000,
    'lifecycle.RUNNING': 3_000 + 4_600,
    'lifecycle.PAUSED': 400,
    'incident.CLEAR': 10_000,
  })
})

test('the last state of an actor that has ended has no time', () => {
  const ended = [...steps.slice(0, 1), step('SUCCEEDED', 3_000)]
  assert.deepEqual(totals(ended, true, 10_000), { 'lifecycle.QUEUED': 3_000, 'incident.CLEAR': 3_000 })
})

test('if the clock is behind that of the server, no time is negative', () => {
  assert.equal(totals(steps.slice(0, 1), false, -60_000)['lifecycle.QUEUED'], 0)
})

test('a duration is shown in at most two units, and a rough duration in one', () => {
  const said = [40, 12_000, 100_000, 6_720_000, 100_000_000].map((ms) => [formatDuration(ms), formatRoughDuration(ms)])
  assert.deepEqual(said, [
    ['40 ms', '40 ms'],
    ['12 s', '12 s'],
    ['1 min 40 s', '1 min'],
    ['1 h 52 min', '1 h'],
    ['1 d 3 h', '1 d'],
  ])
})
