/** Schedules on processes that are killed, for as long as the suite has time. `npm run props:schedules` simulates a year. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { simulateSchedules } from './scheduleWorld.ts'

test('every time of a schedule fires exactly once or is counted as missed, although processes are killed', async () => {
  const spring = await simulateSchedules({ seed: 1, from: Date.UTC(2026, 2, 26), days: 12 })
  const autumn = await simulateSchedules({ seed: 2, from: Date.UTC(2026, 9, 23), days: 11 })
  for (const [what, count] of Object.entries(spring)) assert.ok(count + autumn[what as keyof typeof autumn] > 0, what)
})
