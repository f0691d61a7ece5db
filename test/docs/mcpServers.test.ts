/** The examples of docs/mcp-servers.md against the real program, and a server that others have made. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { freePorts } from '../kit/program/ports.ts'
import { documentWorld } from './examples/documentWorld.ts'
import { runExamples } from './examples/examples.ts'

test('docs/mcp-servers.md: its examples answer what they show', async (t) => {
  const world = await documentWorld(t, { localAgent: false, env: { OUTBOUND_ALLOW: 'localhost' } })
  const { main: port } = await freePorts()
  const here = { 'PORT=3901': `PORT=${port}`, 'http://localhost:3901': `http://localhost:${port}` }
  assert.ok((await runExamples('docs/mcp-servers.md', world, { here })) >= 6)
})
