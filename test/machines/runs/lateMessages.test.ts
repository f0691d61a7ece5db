/** A late report of an agent is accepted, although the job was already ended without it. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { siblingId } from '../../../spec/core/ids.ts'
import { at } from '../../kit/runtime/samples/samples.ts'
import { UnorderedActors } from '../../kit/runtime/unorderedActors.ts'
import { agentSays } from './agentSays.ts'

const suffix = '0'.repeat(26)
const agent = { kind: 'agent', id: `agt_${suffix}` } as const
const worktreeId = `wt_${suffix}`
const queue = { kind: 'worktreeQueue', id: siblingId('worktreeQueue', worktreeId) } as const
const run = { kind: 'run', id: `run_${suffix}` } as const
const job = { kind: 'job', id: siblingId('job', run.id) } as const
const facts = { hostname: 'h', platform: 'p', arch: 'a', version: '1' }

const deliverAll = (world: UnorderedActors): void => {
  while (world.mail.length > 0) world.deliver(0)
}

/** A run that was canceled, and whose agent did not confirm it in time. */
function lostRun(): UnorderedActors {
  const world = new UnorderedActors()
  world.create(agent, { enrollmentId: `enr_${suffix}`, name: 'a', credentialHash: 'h', facts, createdAt: at })
  world.create(queue, { worktreeId, codebaseId: 'c', agentId: agent.id, createdAt: at })
  world.send(agent, { type: 'connect', facts, clis: [], forgot: [], gone: [] })
  world.create(run, {
    kind: 'SESSION',
    number: 1,
    title: 't',
    worktreeId,
    codebaseId: 'c',
    agentId: agent.id,
    ownerId: `ses_${suffix}`,
    parentRunId: null,
    above: [],
    limit: 1,
    exclusive: false,
    timeoutSeconds: 60,
    jobKind: 'COMMANDS',
    spec: {},
    requestedBy: 'u',
    createdAt: at,
  })
  deliverAll(world)
  world.send(job, { type: 'accept', epoch: 1, attempt: 1, tokenHash: 't', issuedAt: at })
  deliverAll(world)
  world.send(run, { type: 'cancel' })
  deliverAll(world)
  const deadline = world.timers().find(({ id, timer }) => id === job.id && timer.includes('CANCELING'))
  world.fire(job.id, deadline?.timer ?? '')
  deliverAll(world)
  assert.deepEqual([world.state(job.id), world.state(run.id)], ['LOST', 'LOST'])
  return world
}

const held = (world: UnorderedActors) => world.context<{ held: { SESSION: number } }>(queue.id).held.SESSION

async function complete(world: UnorderedActors, processesLeft: number): Promise<void> {
  const end = { outcome: 'CANCELED', processesLeft, logChunks: 0, logSha256: '0'.repeat(64) }
  await agentSays(world, agent, 'completeJob', { epoch: 1, jobId: job.id, attempt: 1, ...end })
  deliverAll(world)
}

async function beat(world: UnorderedActors): Promise<void> {
  await agentSays(world, agent, 'agentHeartbeat', { epoch: 1, load: 0, freeMemoryBytes: 0, jobs: [] })
  deliverAll(world)
}

test('a lost run keeps its slot while its agent reports that processes are left, until the agent reports that they are gone', async () => {
  const world = lostRun()
  await complete(world, 2)
  await beat(world)
  assert.equal(held(world), 1, 'the heartbeat does not name the job, but two processes of it are left')
  await complete(world, 0)
  assert.equal(held(world), 0)
})

test('a lost run frees its slot when its agent no longer names the job', async () => {
  const world = lostRun()
  await beat(world)
  assert.equal(held(world), 0)
})

test('a heartbeat of a silent or lost agent makes it CONNECTED, and a heartbeat of a connected agent sends no message', async () => {
  const world = lostRun()
  const input = { epoch: 1, load: 0, freeMemoryBytes: 0, jobs: [] }
  await beat(world)
  assert.deepEqual(await agentSays(world, agent, 'agentHeartbeat', input), [])
  for (const type of ['silent', 'lost']) {
    world.send(agent, { type, epoch: 1 })
    assert.deepEqual(await agentSays(world, agent, 'agentHeartbeat', input), ['agent.heartbeatReceived'])
    assert.equal(world.state(agent.id), 'CONNECTED')
  }
})
