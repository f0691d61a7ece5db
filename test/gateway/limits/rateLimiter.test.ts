/** How much a key may do in a window of time. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type RateLimited, RateLimiter, rateLimitHeaders } from '../../../gateway/limits/rateLimiter.ts'
import { ManualClock } from '../../kit/runtime/manualClock.ts'

const policy = { limit: 3, windowMs: 60_000, of: 'calls' }

function limiter(keys?: number) {
  const clock = new ManualClock()
  return { clock, calls: new RateLimiter(clock, policy, keys) }
}

test('a key may use its limit in a window, and all of it again when the window has ended', async () => {
  const { clock, calls } = limiter()
  assert.deepEqual(calls.take('a', 2), { limit: 3, remaining: 1, resetMs: 60_000 })
  await clock.advance(20_000)
  assert.throws(
    () => calls.take('a', 2),
    ({ code, message, retryAfterMs, budget }: RateLimited) => {
      assert.deepEqual([code, message], ['RATE_LIMITED', 'Too many calls: at most 3 in 60 s.'])
      assert.deepEqual([retryAfterMs, budget], [40_000, { limit: 3, remaining: 1, resetMs: 40_000 }])
      return true
    },
  )
  assert.equal(calls.take('a').remaining, 0, 'a refused amount is not counted')
  await clock.advance(40_000)
  assert.equal(calls.take('a', 3).remaining, 0)
})

test('each key has its own count', () => {
  const { calls } = limiter()
  calls.take('a', 3)
  assert.equal(calls.take('b').remaining, 2)
})

test('an amount that is counted without a check may exceed the limit, and the key is refused afterwards', () => {
  const { calls } = limiter()
  calls.check('a')
  calls.count('a', 5)
  assert.equal(calls.isExhausted('a'), true)
  assert.equal(calls.budget('a').remaining, 0)
  assert.throws(() => calls.check('a'), { code: 'RATE_LIMITED' })
})

test('a key that was reset begins a new window', () => {
  const { calls } = limiter()
  calls.take('a', 3)
  calls.reset('a')
  assert.equal(calls.take('a').remaining, 2)
})

test('beyond the number of keys, the key that was used least recently begins a new window', () => {
  const { calls } = limiter(2)
  for (const key of ['a', 'b', 'a', 'c']) calls.take(key)
  assert.deepEqual(
    ['a', 'b'].map((key) => calls.budget(key).remaining),
    [1, 3],
  )
})

test('the headers have the limit, the rest, and whole seconds', () => {
  assert.deepEqual(rateLimitHeaders({ limit: 3, remaining: 1, resetMs: 1_001 }), {
    'ratelimit-limit': '3',
    'ratelimit-remaining': '1',
    'ratelimit-reset': '2',
  })
})
