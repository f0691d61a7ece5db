/** The removal of a worktree: its job on the machine, the queue that takes nobody in meanwhile, and what ends late. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { siblingId } from '../../spec/ids.ts'
import { at, inits } from './support/samples.ts'
import { World } from './support/world.ts'

const suffix = '0'.repeat(26)
const agent = { kind: 'agent', id: `agt_${suffix}` } as const
const worktree = { kind: 'worktree', id: `wt_${suffix}` } as const
const queue = { kind: 'worktreeQueue', id: siblingId('worktreeQueue', worktree.id) } as const
const job = { kind: 'job', id: `job_${'1'.repeat(26)}` } as const
const facts = { hostname: 'h', platform: 'p', arch: 'a', version: '1' }

const deliverAll = (world: World): void => {
  while (world.mail.length > 0) world.deliver(0)
}

function newWorld(): World {
  const world = new World()
  const of = { agentId: agent.id, createdAt: at }
  world.create(agent, { ...inits.agent, createdAt: at })
  world.create(queue, { worktreeId: worktree.id, codebaseId: 'c', ...of })
  world.create(worktree, { ...inits.worktree, ...of, adopted: true })
  world.send(agent, { type: 'connect', facts, clis: [], forgot: [], gone: [] })
  deliverAll(world)
  return world
}

function remove(world: World, agentRevoked = false): void {
  world.send(queue, { type: 'close' })
  world.send(worktree, { type: 'remove', jobId: job.id, force: false, agentRevoked })
  deliverAll(world)
}

const states = (world: World) => [world.state(worktree.id), world.state(queue.id)]

test('the worktree of a revoked agent is removed here, and nothing is asked of its machine', () => {
  const world = newWorld()
  world.send(agent, { type: 'revoke' })
  deliverAll(world)
  remove(world, true)
  assert.deepEqual(states(world), ['REMOVED', 'CLOSED.OVER'])
  assert.equal(world.state(job.id), 'absent')
})

test('an agent that is revoked while it is to remove a worktree does not keep the worktree', () => {
  const early = newWorld()
  early.send(agent, { type: 'revoke' })
  deliverAll(early)
  // The request saw the agent as it was before.
  remove(early)
  const late = newWorld()
  remove(late)
  late.send(job, { type: 'accept', epoch: 1, attempt: 1, tokenHash: null, issuedAt: at })
  late.send(agent, { type: 'revoke' })
  deliverAll(late)
  for (const world of [early, late]) assert.deepEqual(states(world), ['REMOVED', 'CLOSED.OVER'])
})
