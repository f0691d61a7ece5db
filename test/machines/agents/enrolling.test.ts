/** An enrollment and its agent, where one ends while the other begins. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { agentOfEnrollment } from '../../../machines/agents/enrollment.ts'
import { at, inits } from '../../kit/runtime/samples/samples.ts'
import { UnorderedActors } from '../../kit/runtime/unorderedActors.ts'

const enrollment = { kind: 'enrollment', id: `enr_${'0'.repeat(26)}` } as const
const agent = { kind: 'agent', id: agentOfEnrollment(enrollment.id) } as const

const deliverAll = (world: UnorderedActors): void => {
  while (world.mail.length > 0) world.deliver(0)
}

function claimed(): UnorderedActors {
  const world = new UnorderedActors()
  world.create(enrollment, inits.enrollment)
  world.send(enrollment, { type: 'claim', keyHash: 'k' })
  return world
}

const makeAgent = (world: UnorderedActors) =>
  world.create(agent, { ...inits.agent, enrollmentId: enrollment.id, createdAt: at })

function expire(world: UnorderedActors): void {
  for (const { id, timer } of world.timers()) world.fire(id, timer)
  deliverAll(world)
}

test('an agent that is created after its claimed token has ended is revoked', () => {
  for (const end of [expire, (world: UnorderedActors) => void world.send(enrollment, { type: 'revoke' })]) {
    const world = claimed()
    end(world)
    deliverAll(world)
    makeAgent(world)
    deliverAll(world)
    assert.equal(world.state(agent.id), 'REVOKED.OVER')
  }
})

test('an agent that is created in time waits for its first connection until the token expires', () => {
  const world = claimed()
  makeAgent(world)
  deliverAll(world)
  assert.deepEqual([world.state(agent.id), world.state(enrollment.id)], ['PENDING', 'CLAIMED'])
  expire(world)
  assert.deepEqual([world.state(agent.id), world.state(enrollment.id)], ['REVOKED.OVER', 'EXPIRED'])
})

test('an agent that connects before its creation has reached the enrollment stays connected', () => {
  const world = claimed()
  makeAgent(world)
  world.send(agent, { type: 'connect', facts: inits.agent.facts, clis: [], forgot: [], gone: [] })
  // The last tell arrives first.
  while (world.mail.length > 0) world.deliver(world.mail.length - 1)
  assert.deepEqual([world.state(agent.id), world.state(enrollment.id)], ['CONNECTED', 'USED'])
})
