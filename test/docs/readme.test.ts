/** The README's commands, as a newcomer copies them. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { documentWorld } from './examples/documentWorld.ts'
import { runExamples } from './examples/examples.ts'

test('README.md: its commands work', async (t) => {
  const world = await documentWorld(t, { account: false })
  assert.ok((await runExamples('README.md', world)) >= 3)
})
