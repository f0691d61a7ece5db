import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as v from 'valibot'
import type { Beat } from '../../../actors/ports/presence.ts'
import type { Envelope, System } from '../../../gateway/messages.ts'
import { executeHeartbeat } from '../../../gateway/operations/executeHeartbeat.ts'
import { handle } from '../../../gateway/operations/handler.ts'
import type { RequestContext } from '../../../gateway/operations/requestContext.ts'
import { Failure } from '../../../spec/core/failure.ts'
import { heartbeat } from '../../../spec/core/operation.ts'
import { type LampSystem, openLamps } from '../../kit/runtime/lampSystem.ts'

/** The handlers of operations take only the product's kinds. */
const productSystem = ({ system }: LampSystem): System => system as unknown as System

const declaration = heartbeat({
  name: 'beat',
  description: 'A lamp is there.',
  access: 'agents',
  input: v.object({}),
  output: v.string(),
})
const beat: Beat = { agentId: 'agt_1', epoch: 1, at: 0, jobs: [] }
const context = {
  principal: { kind: 'agent', agentId: 'agt_1' },
  requestId: 'r',
  now: 0,
  spentMs: () => 0,
} as unknown as RequestContext

test('a heartbeat renews the presence even if its messages fail', async () => {
  const pulses: Beat[] = []
  const services = { system: productSystem(openLamps()), presence: { pulse: (given: Beat) => void pulses.push(given) } }
  const operation = handle(declaration, [], {
    beat: () => beat,
    react: () => Promise.reject(new Failure('UNAVAILABLE', 'The database is unavailable.')),
  })
  await assert.rejects(executeHeartbeat(operation, {}, context, services), { code: 'UNAVAILABLE' })
  assert.deepEqual(pulses, [beat])
})

test('the messages of a heartbeat are sent before its reply', async () => {
  const world = openLamps()
  const wall = await world.newWall()
  const operation = handle(declaration, [], {
    beat: () => beat,
    react: () => ({
      messages: [{ to: wall as unknown as Envelope['to'], event: { type: 'say', word: 'yes' } }],
      answer: 'sent',
    }),
  })
  const services = { system: productSystem(world), presence: { pulse: () => {} } }
  assert.equal(await executeHeartbeat(operation, {}, context, services), 'sent')
  assert.equal((await world.system.peek(wall))?.context.words, 1)
})
