/** Buckets that are too narrow for bars are added, by the clock of the reader. */
import '../../../kit/console/english.ts'
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { InsightsBucket } from '../../../../clients/console/app/insights/insightsFigures.ts'
import { mergeBuckets } from '../../../../clients/console/app/insights/mergeBuckets.ts'

const minuteMs = 60_000

const bucket = (at: number, minutes: number, change: Partial<InsightsBucket> = {}): InsightsBucket => ({
  from: new Date(at).toISOString(),
  to: new Date(at + minutes * minuteMs).toISOString(),
  startedCount: 1,
  endedCount: 1,
  succeededCount: 1,
  failedCount: 0,
  canceledCount: 0,
  timedOutCount: 0,
  lostCount: 0,
  skippedCount: 0,
  successRate: 1,
  queueWaitMs: { p50: 1, p95: 2 },
  durationMs: { p50: 1, p95: 2 },
  busyMs: 100,
  usage: { inputTokens: 10, outputTokens: 1, costs: [{ amount: 0.5, currency: 'USD' }] },
  ...change,
})

const start = new Date(2026, 0, 5, 14, 30).getTime()

test('quarters of an hour become hours of the clock, and no run is lost', () => {
  const buckets = Array.from({ length: 96 }, (_, index) => bucket(start + index * 15 * minuteMs, 15))
  const merged = mergeBuckets({ bucketSize: 'QUARTER_HOUR', buckets })
  assert.equal(merged.length, 25)
  assert.deepEqual([merged[0]?.startedCount, merged[1]?.startedCount], [2, 4])
  assert.equal(new Date(merged[1]?.from ?? '').getMinutes(), 0)
  assert.deepEqual(merged[1]?.usage, { inputTokens: 40, outputTokens: 4, costs: [{ amount: 2, currency: 'USD' }] })
  assert.equal(
    merged.reduce((sum, { endedCount }) => sum + endedCount, 0),
    96,
  )
})

test('the success rate is that of all runs together, and is null without runs', () => {
  const one = (index: number, change: Partial<InsightsBucket>) => bucket(start + index * 60 * minuteMs, 60, change)
  const buckets = Array.from({ length: 168 }, (_, index) =>
    one(index, index % 3 === 0 ? { succeededCount: 0, failedCount: 1, successRate: 0 } : {}),
  )
  const merged = mergeBuckets({ bucketSize: 'HOUR', buckets })
  assert.ok(merged.length >= 28 && merged.length <= 30, String(merged.length))
  assert.equal(merged[2]?.successRate, 4 / 6)
  const none = buckets.map((each) => ({ ...each, succeededCount: 0, failedCount: 0, successRate: null }))
  assert.equal(mergeBuckets({ bucketSize: 'HOUR', buckets: none })[0]?.successRate, null)
})

test('buckets that are wide enough are not merged', () => {
  const buckets = Array.from({ length: 30 }, (_, index) => bucket(start + index * 1_440 * minuteMs, 1_440))
  assert.equal(mergeBuckets({ bucketSize: 'DAY', buckets }), buckets)
})
