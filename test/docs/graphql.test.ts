/** The examples of docs/graphql.md against the real program with a real agent. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { documentWorld } from './examples/documentWorld.ts'
import { runExamples } from './examples/examples.ts'

test('docs/graphql.md: its examples answer what they show', async (t) => {
  const world = await documentWorld(t)
  assert.ok((await runExamples('docs/graphql.md', world)) >= 15)
})
