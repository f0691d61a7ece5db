/** The pauses between tries of work that fails. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type BackOffPolicy, backOffMs } from '../../../spec/core/backOff.ts'

const policy: BackOffPolicy = { firstMs: 250, factor: 2, mostMs: 30_000, jitter: 0 }
const pauses = (given: Partial<BackOffPolicy>, random?: number, tries = 9) =>
  Array.from({ length: tries }, (_, index) =>
    backOffMs({ ...policy, ...given }, index + 1, random === undefined ? undefined : () => random),
  )

const cases: readonly [title: string, given: Partial<BackOffPolicy>, random: number, expected: readonly number[]][] = [
  ['grow by the factor up to the longest', {}, 0, [250, 500, 1000, 2000, 4000, 8000, 16_000, 30_000, 30_000]],
  ['are equal if the factor is 1', { factor: 1 }, 0, Array(9).fill(250)],
  [
    'are at least half of the full pause with a jitter of a half',
    { jitter: 0.5 },
    0,
    [125, 250, 500, 1000, 2000, 4000, 8000, 15_000, 15_000],
  ],
  [
    'are at most the full pause with a jitter of a half',
    { jitter: 0.5 },
    1,
    [250, 500, 1000, 2000, 4000, 8000, 16_000, 30_000, 30_000],
  ],
  ['are at least zero with a jitter of one', { jitter: 1 }, 0, Array(9).fill(0)],
  [
    'are at most the full pause with a jitter of one',
    { jitter: 1 },
    1,
    [250, 500, 1000, 2000, 4000, 8000, 16_000, 30_000, 30_000],
  ],
]
for (const [title, given, random, expected] of cases)
  test(`pauses ${title}`, () => assert.deepEqual(pauses(given, random), expected))

test('a policy without jitter uses no random number', () => {
  assert.equal(
    backOffMs(policy, 1, () => assert.fail('a random number was used')),
    250,
  )
})

test('pauses of many callers differ by default', () => {
  assert.ok(new Set(pauses({ factor: 1, jitter: 0.5 }, undefined, 100)).size > 50)
})

test('the longest pause is kept after any number of failures', () => {
  assert.equal(backOffMs(policy, 1_000_000), 30_000)
})
