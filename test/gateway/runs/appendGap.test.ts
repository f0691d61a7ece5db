/** Output that leaves a gap is not stored. Its sender receives the next sequence, so that it can continue there. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as v from 'valibot'
import type { System } from '../../../gateway/messages.ts'
import { executeAppend } from '../../../gateway/operations/executeAppend.ts'
import { handle } from '../../../gateway/operations/handler.ts'
import type { RequestContext } from '../../../gateway/operations/requestContext.ts'
import { append } from '../../../spec/core/operation.ts'
import { openMemoryStorage } from '../../kit/runtime/memory/memory.ts'
import { systemClock } from '../../kit/runtime/systemClock.ts'

const chunk = { kind: 'STDOUT', data: Buffer.from('x') }

const appendChunks = handle(
  append({
    name: 'appendChunks',
    description: 'Appends chunks.',
    access: 'agents',
    input: v.object({ sequence: v.number(), count: v.number() }),
    output: v.number(),
  }),
  [],
  {
    append: ({ sequence, count }) => ({
      stream: 'log',
      sequence,
      entries: Array.from({ length: count }, () => chunk),
      answer: (next) => next,
    }),
  },
)

test('an append beyond the next sequence returns the next sequence and stores nothing', async () => {
  const { streams } = openMemoryStorage({})
  const services = { streams, clock: systemClock, system: {} as System }
  const send = (sequence: number, count: number) =>
    executeAppend(appendChunks, { sequence, count }, {} as RequestContext, services)
  assert.equal(await send(0, 2), 2)
  assert.equal(await send(5, 1), 2)
  assert.equal((await streams.read('log', -1, 10)).length, 2)
})
