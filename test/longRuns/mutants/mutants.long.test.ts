/** The tests detect faults: each rule is broken on purpose, and one of the tests must fail. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { judge } from './judge.ts'
import { mutants } from './mutants.ts'

const timeoutMs = 30_000

test('the tests detect each broken rule, except rules that need PostgreSQL', { timeout: 300_000 }, async () => {
  const quick = mutants.filter(({ rule, postgres }) => rule !== undefined && postgres !== true)
  const verdicts = await judge(quick, timeoutMs)
  assert.deepEqual(
    verdicts.filter(({ caughtBy }) => caughtBy === undefined).map(({ mutant, problem }) => problem ?? mutant.name),
    [],
  )
})
