/** The period of a page, as its address has it. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { formatDay, getTimeRange, parsePeriod } from '../../../../clients/console/app/parts/period/period.ts'

const choices = { names: ['week', 'day', 'own'], daysMax: 731 } as const
const now = new Date(2026, 0, 31, 12).getTime()
const parse = (given: Readonly<Record<string, string>>) => parsePeriod(given, choices, now)
const range = (given: Readonly<Record<string, string>>) => {
  const { from, to } = getTimeRange(parse(given), now)
  return [Date.parse(from), Date.parse(to)]
}

test('an unknown period is the default, and a period of hours ends now', () => {
  for (const time of ['', 'year', 'nonsense']) assert.equal(parse({ time }).name, 'week')
  assert.deepEqual(range({ time: 'day' }), [now - 86_400_000, now])
})

test('a custom period includes its first and last day, and ends now if the last day is in the future', () => {
  const own = { time: 'own', from: '2026-01-05', to: '2026-01-06' }
  assert.deepEqual(range(own), [new Date(2026, 0, 5).getTime(), new Date(2026, 0, 7).getTime()])
  assert.deepEqual(range({ ...own, to: '2026-03-01' }), [new Date(2026, 0, 5).getTime(), now])
})

test('an impossible period has its reason and the field at fault', () => {
  const problem = (from: string, to: string) => parse({ time: 'own', from, to }).problem
  assert.deepEqual(problem('', '2026-01-06'), { field: 'from', type: 'missing' })
  assert.deepEqual(problem('2026-02-30', '2026-01-06'), { field: 'from', type: 'missing' })
  assert.deepEqual(problem('2026-01-05', ''), { field: 'to', type: 'missing' })
  assert.deepEqual(problem('2026-01-06', '2026-01-05'), { field: 'to', type: 'wrongOrder' })
  assert.deepEqual(problem('2026-02-01', '2026-02-02'), { field: 'from', type: 'future' })
  assert.deepEqual(problem('2020-01-01', '2026-01-01'), { field: 'to', type: 'tooLong', days: 2_193, limit: 731 })
  assert.equal(problem('2026-01-05', '2026-01-05'), undefined)
})

test('a day is formatted in the time zone of the reader', () => {
  assert.equal(formatDay(new Date(2026, 0, 5, 23, 59).getTime()), '2026-01-05')
})
