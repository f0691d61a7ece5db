/** The axes of charts: round values, round durations, and times at which a round unit begins. */
import '../../../kit/console/english.ts'
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { listDecimalTicks, listDurationTicks } from '../../../../clients/console/app/parts/charts/valueTicks.ts'

const { listTimeTicks, formatSlot, hasWholeDays } = await import(
  '../../../../clients/console/app/parts/charts/timeTicks.ts'
)

test('the axis of counts has whole steps, and its last tick is not below the largest count', () => {
  assert.deepEqual(listDecimalTicks(0, 1), [0, 1])
  assert.deepEqual(listDecimalTicks(1, 1), [0, 1])
  assert.deepEqual(listDecimalTicks(3, 1), [0, 1, 2, 3])
  assert.deepEqual(listDecimalTicks(9, 1), [0, 5, 10])
  assert.deepEqual(listDecimalTicks(40, 1), [0, 10, 20, 30, 40])
  assert.deepEqual(listDecimalTicks(1_234, 1), [0, 500, 1_000, 1_500])
})

test('decimal ticks have no rounding errors', () => {
  assert.deepEqual(listDecimalTicks(0.3, 0.1), [0, 0.1, 0.2, 0.3])
  assert.deepEqual(listDecimalTicks(0.02, 0.1), [0, 0.1])
})

test('the axis of durations has steps of a clock, such as 15 seconds or 2 hours', () => {
  assert.deepEqual(listDurationTicks(0), [0, 1])
  assert.deepEqual(listDurationTicks(50_000), [0, 15_000, 30_000, 45_000, 60_000])
  assert.deepEqual(listDurationTicks(7 * 3_600_000), [0, 7_200_000, 14_400_000, 21_600_000, 28_800_000])
  assert.ok((listDurationTicks(5e11).at(-1) ?? 0) >= 5e11)
})

const slots = (start: string, minutes: number, count: number) =>
  Array.from({ length: count }, (_, index) => {
    const from = new Date(start).getTime() + index * minutes * 60_000
    return { from: new Date(from).toISOString(), to: new Date(from + minutes * 60_000).toISOString() }
  })

test('the axis of a day has hours, and midnight has its date', () => {
  const ticks = listTimeTicks(slots('2026-01-05T14:00:00', 60, 24), 4)
  assert.deepEqual(
    ticks.map(({ label }) => label.replace('\u202f', ' ')),
    ['6:00 PM', 'Jan 6', '6:00 AM', '12:00 PM'],
  )
  assert.deepEqual(
    ticks.map(({ index }) => index),
    [4, 10, 16, 22],
  )
})

test('the axis of a month has days, and no axis has more ticks than there is room for', () => {
  const days = listTimeTicks(slots('2026-01-05T00:00:00', 24 * 60, 30), 5)
  assert.deepEqual(
    days.map(({ label }) => label),
    ['Jan 12', 'Jan 19', 'Jan 26', 'Feb 2'],
  )
  for (const ticksMax of [2, 3, 7, 12]) {
    const ticks = listTimeTicks(slots('2025-01-06T00:00:00', 7 * 24 * 60, 104), ticksMax)
    assert.ok(ticks.length > 0 && ticks.length <= ticksMax, `${ticks.length} of ${ticksMax}`)
  }
})

test('the label of a slot has hours only if the slot is shorter than a day', () => {
  const [hour] = slots('2026-01-05T14:00:00', 60, 1)
  const [day] = slots('2026-01-05T00:00:00', 24 * 60, 1)
  const [week] = slots('2026-01-05T00:00:00', 7 * 24 * 60, 1)
  assert.ok(hour && day && week)
  assert.deepEqual([hasWholeDays([hour]), hasWholeDays([day])], [false, true])
  assert.match(formatSlot(hour, false), /^Jan 5, 2026, 2:00\D+3:00\sPM$/)
  assert.equal(formatSlot(day, true), 'Jan 5, 2026')
  assert.match(formatSlot(week, true), /^Jan 5\D+11, 2026$/)
})
