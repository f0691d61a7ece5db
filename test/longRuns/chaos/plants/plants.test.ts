import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { test } from 'node:test'
import { patched, sourceOf } from './patch.ts'
import { plants } from './plants.ts'

test('every text that a plant replaces occurs exactly once in its source', async () => {
  for (const { name, patches } of plants) {
    for (const patch of patches) {
      const source = await readFile(sourceOf(patch), 'utf8')
      assert.notEqual(patched(source, patch), source, name)
    }
  }
})

test('a plant whose text does not occur in its source, or occurs twice, causes an error', () => {
  const patch = { file: 'x.ts', search: 'one', replace: 'two' }
  assert.throws(() => patched('none', { ...patch, search: 'absent' }), /occurs 0 times in x.ts/)
  assert.throws(() => patched('one one', patch), /occurs 2 times/)
})
