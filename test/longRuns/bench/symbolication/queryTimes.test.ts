import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { joinTimes, timeQueries } from './queryTimes.ts'

test('timeQueries measures a long time for all requests that were sent during a pause of the server', async () => {
  const stopped = sleep(300)
  const queries = [{ name: 'one', ask: () => stopped }]
  const times = await timeQueries({ queries, everyMs: 20 }, AbortSignal.timeout(150))
  const slow = times.get('one')?.filter((ms) => ms > 100) ?? []
  assert.ok(slow.length >= 5, `${slow.length} requests waited for the answer`)
})

test('the first error of a request ends the measurement', async () => {
  const queries = [{ name: 'one', ask: () => Promise.reject(new Error('refused')) }]
  await assert.rejects(timeQueries({ queries, everyMs: 1 }, AbortSignal.timeout(10_000)), /refused/)
})

test('joinTimes keeps the times of both measurements', () => {
  assert.deepEqual(joinTimes(new Map([['one', [1]]]), new Map([['one', [2, 3]]])), new Map([['one', [1, 2, 3]]]))
})
