/** The tests detect faults: each rule is broken on purpose, and one of the tests must fail. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { judge } from './judge.ts'
import { misfit, mutate } from './mutant.ts'
import { mutants } from './mutants.ts'
import { rules } from './rules.ts'

const timeoutMs = 30_000

test('every mutant has a unique name, its text is in its file, and its test files exist', () => {
  const names = mutants.map(({ name }) => name)
  assert.deepEqual(
    names.filter((name, index) => names.indexOf(name) !== index),
    [],
  )
  assert.deepEqual(
    mutants.flatMap((mutant) => misfit(mutant) ?? []),
    [],
  )
})

test('a mutant whose text does not occur in its file, or occurs twice, causes an error', () => {
  const [mutant] = mutants
  assert.ok(mutant)
  const { search } = mutant
  assert.throws(() => mutate(mutant, 'anything'), /occurs 0 times/)
  assert.throws(() => mutate(mutant, `${search} ${search}`), /occurs 2 times/)
  assert.equal(mutate({ ...mutant, replace: '$&' }, `a ${search} b`), 'a $& b')
})

test('a mutant whose test file does not exist is reported as a problem', () => {
  const [mutant] = mutants
  assert.ok(mutant)
  assert.match(misfit({ ...mutant, tests: [{ file: 'test/renamed.test.ts' }] }) ?? '', /names test\/renamed\.test\.ts/)
})

test('a mutant whose file of tests has no test is reported as a problem', async () => {
  const [mutant] = mutants
  assert.ok(mutant)
  const [verdict] = await judge([{ ...mutant, tests: [{ file: 'test/longRuns/mutants/rules.ts' }] }], timeoutMs)
  assert.match(verdict?.problem ?? '', /has no such test/)
})

for (const [number, sentence] of Object.entries(rules)) {
  test(`rule ${number} has a mutant: ${sentence}`, () => {
    assert.ok(mutants.some(({ rule }) => rule === Number(number)))
  })
}
