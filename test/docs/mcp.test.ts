/** The examples of docs/mcp.md against the real program. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { documentWorld } from './examples/documentWorld.ts'
import { runExamples } from './examples/examples.ts'

test('docs/mcp.md: its examples answer what they show', async (t) => {
  const world = await documentWorld(t, { localAgent: false })
  assert.ok((await runExamples('docs/mcp.md', world, { env: { KEY: world.key ?? '' } })) >= 4)
})
