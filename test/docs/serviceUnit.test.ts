/** The console and docs/agent.md show the same systemd unit of an agent. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { unit } from '../../clients/console/app/agents/serviceUnit.ts'
import { blocksOf } from './examples/blocks.ts'

test('docs/agent.md and the console show the same systemd unit', () => {
  const units = blocksOf('docs/agent.md').filter(({ text }) => text.includes('[Service]'))
  assert.deepEqual(
    units.map(({ text }) => text.trim()),
    [unit.trim()],
  )
})
