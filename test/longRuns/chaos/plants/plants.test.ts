import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { test } from 'node:test'
import { patched, sourceOf } from './patch.ts'
import { plants } from './plants.ts'

test('every plant still fits the sources that it changes', async () => {
  for (const { name, patches } of plants) {
    for (const patch of patches) {
      const source = await readFile(sourceOf(patch), 'utf8')
      assert.notEqual(patched(source, patch), source, name)
    }
  }
})

test('a plant whose text is gone, or stands twice, stops the start', () => {
  const patch = { file: 'x.ts', search: 'one', replace: 'two' }
  assert.throws(() => patched('none', { ...patch, search: 'absent' }), /stands 0 times in x.ts/)
  assert.throws(() => patched('one one', patch), /stands 2 times/)
})
