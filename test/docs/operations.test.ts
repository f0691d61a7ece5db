/** The examples of docs/operations.md against the real program. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { freePorts } from '../kit/program/ports.ts'
import { documentWorld } from './examples/documentWorld.ts'
import { runExamples } from './examples/examples.ts'

test('docs/operations.md: its examples answer what they show', async (t) => {
  const { main: metrics } = await freePorts()
  const world = await documentWorld(t, { localAgent: false, env: { METRICS_PORT: String(metrics) } })
  const here = { 'http://localhost:9464': `http://127.0.0.1:${metrics}` }
  assert.ok((await runExamples('docs/operations.md', world, { here })) >= 3)
})
