/** A plan and the session that carries it out. The plan is notified of each outcome of the session. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { unaskedMs } from '../../../machines/work/turns.ts'
import { inits } from '../../kit/runtime/samples/samples.ts'
import { UnorderedActors } from '../../kit/runtime/unorderedActors.ts'
import { askedTurn } from './askedTurn.ts'
import { runSaid } from './runSaid.ts'

const plan = { kind: 'plan', id: `pln_${'0'.repeat(26)}` } as const
const session = { kind: 'session', id: `ses_${'0'.repeat(26)}` } as const

/** The plan is being played, and has made its session, which waits for its first run. */
function played(): UnorderedActors {
  const world = new UnorderedActors()
  world.create(plan, inits.plan)
  world.send(plan, runSaid('run_1', 'SUCCEEDED'))
  const made = { ...inits.session, planId: plan.id, runId: 'run_5', createdAt: world.now }
  world.send(plan, { type: 'play', sessionId: session.id, session: made })
  while (!world.actors.has(session.id)) world.deliver(0)
  return world
}

function deliverAll(world: UnorderedActors): string {
  while (world.mail.length > 0) world.deliver(0)
  return world.state(plan.id)
}

test('a plan whose session never got its run is FAILED, and can be carried out again', () => {
  const world = played()
  const deadline = world.timers().find(({ id }) => id === session.id)
  assert.equal(deadline?.due, world.now + unaskedMs)
  world.fire(session.id, deadline?.timer ?? '')
  assert.equal(deliverAll(world), 'FAILED')
  assert.equal(world.send(plan, { type: 'play', sessionId: 'ses_2', session: inits.session }).type, 'accepted')
})

test('a plan ends with the outcome of its session if a person ends the session', () => {
  for (const [type, status, expected] of [
    ['finish', 'SUCCEEDED', 'COMPLETED'],
    ['delete', 'SUCCEEDED', 'COMPLETED'],
    ['fail', 'SUCCEEDED', 'FAILED'],
    ['finish', 'CANCELED', 'FAILED'],
    ['delete', 'LOST', 'FAILED'],
  ] as const) {
    const world = played()
    world.send(session, runSaid('run_5', status))
    // The tell about the run's end is still in flight when the user decides. It is not needed.
    world.mail.length = 0
    world.send(session, { type, message: 'm' })
    assert.equal(deliverAll(world), expected, `${type} after ${status}`)
  }
})

test('a plan that failed is completed by a later turn of its session, and by no other session', () => {
  const world = played()
  world.send(session, runSaid('run_5', 'FAILED'))
  assert.equal(deliverAll(world), 'FAILED')
  const other = { type: 'sessionOver', sessionId: 'ses_other', succeeded: true }
  assert.equal(world.send(plan, other).type, 'refused')
  world.send(session, askedTurn('run_6'))
  world.send(session, runSaid('run_6', 'SUCCEEDED'))
  assert.equal(deliverAll(world), 'COMPLETED')
})

test('a plan that is being carried out can be archived', () => {
  const world = played()
  assert.equal(world.send(plan, { type: 'archive' }).type, 'accepted')
  assert.equal(world.state(plan.id), 'ARCHIVED')
})

test('a session that carries out no plan sends no tell', () => {
  const world = new UnorderedActors()
  world.create(session, { ...inits.session, planId: null })
  for (const event of [runSaid('run_1', 'FAILED'), { type: 'finish' }]) world.send(session, event)
  assert.deepEqual(world.mail, [])
})
