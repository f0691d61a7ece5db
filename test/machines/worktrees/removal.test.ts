/** The removal of a worktree: its job on the machine, the queue that accepts no run meanwhile, and runs that end late. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { siblingId } from '../../../spec/core/ids.ts'
import { at, inits } from '../../kit/runtime/samples/samples.ts'
import { UnorderedActors } from '../../kit/runtime/unorderedActors.ts'

const suffix = '0'.repeat(26)
const agent = { kind: 'agent', id: `agt_${suffix}` } as const
const worktree = { kind: 'worktree', id: `wt_${suffix}` } as const
const queue = { kind: 'worktreeQueue', id: siblingId('worktreeQueue', worktree.id) } as const
const job = { kind: 'job', id: `job_${'1'.repeat(26)}` } as const
const facts = { hostname: 'h', platform: 'p', arch: 'a', version: '1' }

const deliverAll = (world: UnorderedActors): void => {
  while (world.mail.length > 0) world.deliver(0)
}

function newWorld(): UnorderedActors {
  const world = new UnorderedActors()
  const of = { agentId: agent.id, createdAt: at }
  world.create(agent, { ...inits.agent, createdAt: at })
  world.create(queue, { worktreeId: worktree.id, codebaseId: 'c', ...of })
  world.create(worktree, { ...inits.worktree, ...of, adopted: true })
  world.send(agent, { type: 'connect', facts, clis: [], forgot: [], gone: [] })
  deliverAll(world)
  return world
}

function remove(world: UnorderedActors, agentRevoked = false): void {
  world.send(queue, { type: 'close', jobId: job.id })
  world.send(worktree, { type: 'remove', jobId: job.id, force: false, agentRevoked })
  deliverAll(world)
}

const states = (world: UnorderedActors) => [world.state(worktree.id), world.state(queue.id)]

test('the worktree of a revoked agent is removed without a job for its machine', () => {
  const world = newWorld()
  world.send(agent, { type: 'revoke' })
  deliverAll(world)
  remove(world, true)
  assert.deepEqual(states(world), ['REMOVED', 'CLOSED.OVER'])
  assert.equal(world.state(job.id), 'absent')
})

test('a worktree is removed even if its agent is revoked before or during the removal', () => {
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

const end = {
  epoch: 1,
  attempt: 1,
  exitCode: 0,
  signal: null,
  problem: null,
  processesLeft: 0,
  logChunks: 0,
  result: null,
}
const complete = (outcome: string) => ({ type: 'complete', ...end, outcome, logSha256: 's' })

/** Fires the deadline of this state. */
function fire(world: UnorderedActors, id: string, state: string): void {
  const found = world.timers().find((one) => one.id === id && one.timer.includes(state))
  assert.ok(found, `${id} has no deadline ${state}`)
  world.fire(id, found.timer)
  deliverAll(world)
}

/** The agent took the removal late, and was asked to stop it when its time was up. */
function overdue(): UnorderedActors {
  const world = newWorld()
  remove(world)
  world.now += 60_000
  world.send(job, { type: 'accept', epoch: 1, attempt: 1, tokenHash: null, issuedAt: world.now })
  fire(world, worktree.id, 'REMOVING')
  assert.deepEqual([world.state(job.id), ...states(world)], ['CANCELING', 'PRESENT', 'CLOSING'])
  return world
}

const run = {
  type: 'enqueue',
  runId: 'run_1',
  kind: 'SESSION',
  limit: 1,
  exclusive: false,
  ready: true,
  revision: 0,
  above: [],
}

test('no run is admitted to a worktree whose removal is overdue and may still happen', () => {
  const world = overdue()
  assert.equal(world.send(queue, run).type, 'refused')
  // However long the word of its end is on the way.
  for (let time = 0; time < 3; time += 1) fire(world, queue.id, 'CLOSING')
  assert.equal(world.state(queue.id), 'CLOSING')
  world.send(job, complete('SUCCEEDED'))
  deliverAll(world)
  assert.deepEqual(states(world), ['REMOVED', 'CLOSED.OVER'])
})

test('an overdue removal that did not happen opens the queue when its job has ended', () => {
  for (const ending of [
    (world: UnorderedActors) => void world.send(job, complete('CANCELED')),
    (world: UnorderedActors) => fire(world, job.id, 'CANCELING'),
  ]) {
    const world = overdue()
    ending(world)
    deliverAll(world)
    assert.deepEqual(states(world), ['PRESENT', 'OPEN'])
    assert.equal(world.send(queue, run).type, 'accepted')
  }
})

test('a worktree that went missing during its removal opens its queue too', () => {
  const world = overdue()
  world.send(worktree, { type: 'reported', available: false, branch: null, headSha: null })
  world.send(job, complete('FAILED'))
  deliverAll(world)
  assert.deepEqual(states(world), ['MISSING', 'OPEN'])
})

test('a queue that was closed for a removal that was never requested opens again', () => {
  const world = newWorld()
  world.send(queue, { type: 'close', jobId: job.id })
  fire(world, queue.id, 'CLOSING')
  assert.deepEqual(states(world), ['PRESENT', 'OPEN'])
})

test('a worktree can be removed after a removal that failed', () => {
  const world = newWorld()
  remove(world)
  world.send(job, { type: 'accept', epoch: 1, attempt: 1, tokenHash: null, issuedAt: at })
  world.send(job, { ...complete('FAILED'), problem: { code: 'DIRTY', message: 'it has changes' } })
  deliverAll(world)
  assert.deepEqual(states(world), ['PRESENT', 'OPEN'])
  assert.equal(world.context<{ statusError: string }>(worktree.id).statusError, 'it has changes')
  assert.equal(world.send(queue, { type: 'close', jobId: job.id }).type, 'accepted')
})

test('a message of another removal does not open a queue that is closed for a removal', () => {
  const world = newWorld()
  remove(world)
  assert.equal(world.send(queue, { type: 'reopen', jobId: `job_${'2'.repeat(26)}` }).type, 'refused')
  assert.equal(world.state(queue.id), 'CLOSING')
})
