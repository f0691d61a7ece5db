/** The least rate of a body that may take hours. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { RateWatch } from '../../../gateway/http/minimumRate.ts'
import { ManualClock } from '../../kit/runtime/manualClock.ts'

const periodMs = 1_000

function watch() {
  const clock = new ManualClock()
  let slow = 0
  const rate = new RateWatch({ bytes: 4, periodMs }, clock, () => {
    slow += 1
  })
  return { clock, rate, slow: () => slow }
}

test('a sender that sends too little in a period is reported as slow, once', async () => {
  const { clock, rate, slow } = watch()
  rate.add(4)
  await clock.advance(periodMs)
  rate.add(3)
  await clock.advance(periodMs - 1)
  assert.equal(slow(), 0)
  await clock.advance(2)
  await clock.advance(10 * periodMs)
  assert.equal(slow(), 1)
})

test('bytes that a busy process reads only after the period still count', async () => {
  const { clock, rate, slow } = watch()
  await clock.advance(periodMs)
  rate.add(4)
  await clock.advance(1)
  assert.equal(slow(), 0)
  await clock.advance(periodMs + 1)
  assert.equal(slow(), 1)
})

test('a period in which the receiver paused does not count', async () => {
  const { clock, rate, slow } = watch()
  rate.pause()
  await clock.advance(periodMs + 1)
  assert.equal(slow(), 0)
  await clock.advance(periodMs + 1)
  assert.equal(slow(), 1)
})

test('a slow sender is not reported after the end', async () => {
  const { clock, rate, slow } = watch()
  await clock.advance(periodMs)
  rate.end()
  await clock.advance(10 * periodMs)
  assert.equal(slow(), 0)
})
