/** The examples of docs/rest.md against the real program. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { documentWorld } from './examples/documentWorld.ts'
import { runExamples } from './examples/examples.ts'

test('docs/rest.md: its examples answer what they show', async (t) => {
  const world = await documentWorld(t, { account: false })
  assert.ok((await runExamples('docs/rest.md', world)) >= 8)
})
