import assert from 'node:assert/strict'
import { test } from 'node:test'
import { continuesInSpec } from '../../../machines/runs/continuesInSpec.ts'

const stored = (spec: Record<string, string>) => ({
  value: { lifecycle: 'QUEUED' },
  context: { queue: { limit: 1 }, init: { title: 'Go on', spec } },
})

test('a follow-up of version 1 still continues its conversation, and nothing else of it changes', () => {
  assert.deepEqual(continuesInSpec(stored({ prompt: 'Go on', conversation: 'c_7' })), {
    value: { lifecycle: 'QUEUED' },
    context: {
      queue: { limit: 1 },
      init: { title: 'Go on', spec: { prompt: 'Go on', continues: { conversation: 'c_7', required: false } } },
    },
  })
  const first = stored({ prompt: 'Begin' })
  assert.deepEqual(continuesInSpec(first), first)
})
