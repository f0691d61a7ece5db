/** Output that leaves a gap is not stored; its sender hears what is, so that it can go back and fill it. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Passwords } from '../../../gateway/auth/passwords.ts'
import { defaultLimits } from '../../../gateway/limits/limits.ts'
import { contexts } from '../../../gateway/operations/context.ts'
import type { GatewayOptions } from '../../../gateway/options.ts'
import { openMemoryStorage } from '../../kit/runtime/memory/memory.ts'

const chunk = { kind: 'STDOUT', data: Buffer.from('x') }

test('an append beyond the next sequence answers the next one and stores nothing', async () => {
  const { streams } = openMemoryStorage({})
  const hashing = { hash: async () => '', verify: async () => true }
  const options = {
    streams,
    operations: [],
    clock: { now: () => 1, monotonic: () => 1, after: () => () => {} },
  } as unknown as GatewayOptions
  const make = contexts(options, new Passwords(hashing, defaultLimits), defaultLimits)
  const facts = { requestId: 'r', now: 1, begunAt: 0, baseUrl: '', agentWsUrl: '' }
  const { append } = make({ ...facts, principal: { kind: 'agent', agentId: 'agt_1' } })
  assert.deepEqual(await append({ stream: 'log', sequence: 0, entries: [chunk, chunk] }), { next: 2 })
  assert.deepEqual(await append({ stream: 'log', sequence: 5, entries: [chunk] }), { next: 2 })
  assert.equal((await streams.read('log', -1, 10)).length, 2)
})
