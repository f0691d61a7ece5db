import assert from 'node:assert/strict'
import { test } from 'node:test'
import { KeptFiles } from './keptFiles.ts'

const kibibytes = (count: number, first: number): Buffer => Buffer.alloc(count * 1024, first)

test('a list drops its oldest files beyond 8 MiB, and the other list keeps its own', () => {
  const kept = new KeptFiles()
  kept.add(kibibytes(1, 1), false)
  for (let index = 0; index < 100; index++) kept.add(kibibytes(100, index), true)
  assert.deepEqual(
    kept.read.map(([first]) => first),
    Array.from({ length: 81 }, (_, index) => index + 19),
  )
  assert.equal(kept.refused.length, 1)
  assert.equal(kept.count, 101)
})

test('a file beyond 128 KiB is not kept', () => {
  const kept = new KeptFiles()
  kept.add(kibibytes(128, 1), true)
  kept.add(kibibytes(129, 2), true)
  assert.deepEqual([kept.count, kept.read.length], [1, 1])
})

test('a kept file does not change if its reader changes the bytes later', () => {
  const kept = new KeptFiles()
  const file = kibibytes(1, 1)
  kept.add(file, true)
  file.fill(2)
  assert.equal(kept.read[0]?.[0], 1)
})
