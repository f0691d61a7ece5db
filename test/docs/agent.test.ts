/** The examples of docs/agent.md: a machine is enrolled, works and stops, with the program that the server hands out. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { documentWorld } from './examples/documentWorld.ts'
import { runExamples } from './examples/examples.ts'

test('docs/agent.md: its examples answer what they show', async (t) => {
  const world = await documentWorld(t, { localAgent: false })
  assert.ok((await runExamples('docs/agent.md', world, { cwd: world.folder })) >= 5)
})
