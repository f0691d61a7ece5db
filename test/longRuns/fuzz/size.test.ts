import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sizeOf } from './size.ts'

test('the default number of requests is enough to reach each handler 100 times, or --reach times, as each kind of caller', () => {
  assert.deepEqual(sizeOf(800, {}), { requests: 134_000, reach: 100 })
  assert.deepEqual(sizeOf(800, { reach: '10' }), { requests: 14_000, reach: 10 })
})

test('a given number of requests determines how often each handler must be reached, unless --reach is given', () => {
  assert.deepEqual(sizeOf(800, { requests: '100000' }), { requests: 100_000, reach: 75 })
  assert.deepEqual(sizeOf(800, { requests: '1000000' }), { requests: 1_000_000, reach: 100 })
  assert.deepEqual(sizeOf(800, { requests: '3000', reach: '1' }), { requests: 3_000, reach: 1 })
})
