/** Compiled queries against graphql-js, on thousands of documents. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { compareMany } from './compareCompiled.ts'

test('without faults nearly every query is compiled, and returns the same as graphql-js', async () => {
  const outcomes = await compareMany(0, 1_500)
  const whole = outcomes.filter(({ failed }) => !failed)
  const share = whole.filter((one) => one.compiled).length / whole.length
  assert.ok(whole.length > 700, `only ${whole.length} queries without errors`)
  assert.ok(share > 0.8, `only ${share} of them were compiled`)
})

test('with nulls, errors, rejections and values of wrong types, compiled queries return the same as graphql-js', async () => {
  const outcomes = await compareMany(15, 2_000)
  const failed = outcomes.filter((one) => one.failed).length
  const answered = outcomes.filter((one) => one.compiled).length
  assert.ok(failed > 100, `only ${failed} queries had errors`)
  assert.ok(answered > 100, `only ${answered} queries were compiled`)
})
