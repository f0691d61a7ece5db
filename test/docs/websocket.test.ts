/** The examples of docs/websocket.md against the real program with a real agent. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { documentWorld } from './examples/documentWorld.ts'
import { runExamples } from './examples/examples.ts'

test('docs/websocket.md: its examples answer what they show', async (t) => {
  const world = await documentWorld(t)
  assert.ok((await runExamples('docs/websocket.md', world)) >= 6)
})
