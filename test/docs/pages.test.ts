/** The examples of docs/pages.md against the real program. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { documentWorld } from './examples/documentWorld.ts'
import { runExamples } from './examples/examples.ts'

test('docs/pages.md: its example answers what it shows', async (t) => {
  const world = await documentWorld(t, { account: false, localAgent: false })
  assert.ok((await runExamples('docs/pages.md', world)) >= 1)
})
