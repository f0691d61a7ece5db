/** An agent is revoked while it has work, live and queued; and the older of two connections of one agent. */
import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { after, before, test } from 'node:test'
import { agentRevokedReason } from '../../../spec/agents/agentRevoked.ts'
import { connectBareAgent, reportWorktree, startBareAgent } from '../../kit/program/bareAgent.ts'
import { GraphqlRefusal } from '../../kit/program/graphql.ts'
import { startMachine } from '../../kit/program/machine.ts'
import { lookAt, mutate, queueOf, startRun, untilRun } from '../../kit/program/runs.ts'
import { once, subscribe, watch } from '../../kit/program/socket.ts'
import { asWhom, gate, refusal, startTestProgram, type TestProgram } from '../../kit/program/testProgram.ts'
import { until } from '../../kit/program/until.ts'

let stage: TestProgram

before(async () => {
  stage = await startTestProgram()
})
after(() => stage?.end())

interface AgentView {
  readonly id: string
  readonly connectionStatus: string
}
const revoke = (agentId: string) =>
  mutate<{ agent: AgentView }>(stage.ask, 'revokeAgent', { agentId, reason: 'sold' }, 'agent { id connectionStatus }')

async function code(asked: Promise<unknown>): Promise<unknown> {
  try {
    return `granted: ${JSON.stringify(await asked)}`
  } catch (error) {
    if (error instanceof GraphqlRefusal) return error.code
    throw error
  }
}

test('revoking an agent cancels its queued runs, ends its active runs as LOST, and closes its socket', async () => {
  const machine = await startMachine(stage, { name: 'sold', branches: ['live'] })
  const worktreeId = machine.worktree('live')
  const going = gate(stage)
  const live = await startRun(stage.ask, { worktreeId, command: going.command })
  await going.untilBegun()
  const queued = await startRun(stage.ask, { worktreeId, command: 'true' })
  const statuses = watch<AgentView>(
    stage,
    'subscription ($agentId: ID) { agentStatusChanged(agentId: $agentId) { id connectionStatus } }',
    { agentId: machine.agentId },
  )
  await statuses.first('the agent as it is', ({ connectionStatus }) => connectionStatus === 'CONNECTED')
  assert.equal((await revoke(machine.agentId)).agent.connectionStatus, 'REVOKED')
  const canceled = await untilRun(stage.ask, queued.id, ['CANCELED'])
  assert.deepEqual([canceled.problem?.code, canceled.jobId], ['AGENT_REVOKED', null])
  const lost = await untilRun(stage.ask, live.id, ['LOST'])
  assert.equal(lost.problem?.code, 'AGENT_REVOKED')
  assert.deepEqual(await queueOf(stage.ask, worktreeId), [])
  await statuses.first('the status REVOKED', ({ connectionStatus }) => connectionStatus === 'REVOKED')
  await until('the agent to end, since it is refused', () =>
    /refused|revoked/i.test(machine.output()) ? true : undefined,
  )
  assert.equal((await revoke(machine.agentId)).agent.connectionStatus, 'REVOKED', 'a repeat is answered as before')
  const refused = await refusal(startRun(stage.ask, { worktreeId, command: 'true' }))
  assert.equal(refused.code, 'FAILED_PRECONDITION')
  const drained = await refusal(mutate(stage.ask, 'drainAgent', { agentId: machine.agentId }, 'agent { id }'))
  assert.equal(drained.code, 'FAILED_PRECONDITION')
  await statuses.stop()

  const removed = await until('the queue to be free of the lost run', async () =>
    mutate<{ worktree: { status: string; path: string } }>(
      stage.ask,
      'removeWorktree',
      { worktreeId },
      'worktree { status path }',
    ).catch(() => undefined),
  )
  assert.equal(removed.worktree.status, 'REMOVED')
  assert.ok(existsSync(removed.worktree.path), 'its machine is not touched')
})

/** How the socket is closed that a credential opens. */
const closeOf = async (credential: string) => {
  const { code, reason } = (await connectBareAgent(stage, credential).catch((error) => error)) as {
    code?: number
    reason?: string
  }
  return { code, reason }
}

test('the open socket of a revoked agent is closed with 4401 within a second, and the agent cannot connect again', async () => {
  const agent = await startBareAgent(stage, 'bare')
  const next = await agent.say<{ credential: string }>('rotateAgentCredential', {}, 'credential')
  const began = performance.now()
  await revoke(agent.agentId)
  const ending = (await agent.offers.over(3_000)) as { code?: number; reason?: string }
  assert.equal(ending.code, 4401, JSON.stringify(ending))
  assert.equal(ending.reason, agentRevokedReason)
  assert.ok(performance.now() - began < 1_200, `closed after ${performance.now() - began} ms`)
  for (const credential of [agent.credential, next.credential])
    assert.deepEqual(await closeOf(credential), { code: 4401, reason: agentRevokedReason })
})

test('only a client with the credential of a revoked agent gets the reason of the refusal, and only over a socket', async () => {
  const { agentId, credential } = await startBareAgent(stage, 'reason')
  await revoke(agentId)
  const unknown = `${credential.slice(0, -1)}${credential.endsWith('A') ? 'B' : 'A'}`
  assert.deepEqual(await closeOf(unknown), { code: 4401, reason: 'Unauthorized' })
  const answers = await Promise.all(
    [credential, unknown].map((token) =>
      refusal(asWhom(stage.url, { authorization: `Bearer ${token}` })('{ health }')),
    ),
  )
  assert.equal(answers[0]?.code, 'UNAUTHENTICATED')
  assert.equal(answers[0]?.message, answers[1]?.message)
})

test('of two connections of one agent, the older gets STALE_EPOCH for every message, and the newer completes the job', async () => {
  const older = await startBareAgent(stage, 'twice')
  const { main } = await reportWorktree(stage, older, '/srv/twice')
  const run = await startRun(stage.ask, { worktreeId: main, command: 'true' })
  const offer = await older.offers.first('the offer', ({ signal }) => signal === 'OFFER')
  const job = { jobId: offer.jobId, attempt: offer.attempt }
  const newer = await older.again()
  assert.equal(newer.epoch, older.epoch + 1)
  const chunks = [{ sequence: 0, stream: 'STDOUT', dataBase64: 'aGk=' }]
  const events = [{ sequence: 0, type: 'MESSAGE', data: {} }]
  const end = { outcome: 'SUCCEEDED', processesLeft: 0, logChunks: 0, logSha256: '0'.repeat(64) }
  const beat = { load: 0, freeMemoryBytes: 0, jobs: [] }
  const words: [string, object, string?][] = [
    ['agentHeartbeat', beat, 'serverTime'],
    ['acceptJob', job, 'runToken'],
    ['refuseJob', { ...job, code: 'NO', message: 'no' }],
    ['reportJobWaiting', { ...job, question: {}, questionId: 'q' }],
    ['reportJobResumed', { ...job, questionId: 'q' }],
    ['appendJobLog', { ...job, chunks }, 'nextSequence'],
    ['appendRunEvents', { ...job, events }, 'nextSequence'],
    ['completeJob', { ...job, ...end }],
    ['reportCodebases', { codebases: [] }, 'accepted'],
    ['reportAgentSkills', { skills: [] }, 'outOfScope { skillId }'],
    ['rotateAgentCredential', {}, 'credential'],
  ]
  for (const [name, input, selection] of words)
    assert.equal(await code(older.say(name, input as Record<string, unknown>, selection)), 'STALE_EPOCH', name)
  await newer.offers.first('the same offer', ({ jobId, signal }) => jobId === offer.jobId && signal === 'OFFER', 12_000)
  const accepted = await newer.say<{ runToken: string }>('acceptJob', job, 'runToken')
  assert.match(accepted.runToken, /^agent_/)
  await newer.say('appendJobLog', { ...job, chunks }, 'nextSequence')
  const { createHash } = await import('node:crypto')
  const logSha256 = createHash('sha256').update('hi').digest('hex')
  const done = { ...job, ...end, logChunks: 1, logSha256 }
  await newer.say('completeJob', done)
  await untilRun(stage.ask, run.id, ['SUCCEEDED'])
  assert.deepEqual(
    await newer.say('completeJob', done),
    { ...job, status: 'SUCCEEDED' },
    'a repeat is answered as before',
  )
})

test('the older of two connections of one agent gets no more offers, and its subscription ends with STALE_EPOCH', async () => {
  const older = await startBareAgent(stage, 'replaced')
  const { main } = await reportWorktree(stage, older, '/srv/replaced')
  const first = await startRun(stage.ask, { worktreeId: main, kind: 'PLAN', command: 'true' })
  const before = await older.offers.first('the offer', ({ signal }) => signal === 'OFFER')
  assert.equal(before.jobId, first.jobId ?? first.id.replace('run_', 'job_'))
  const newer = await older.again()
  const next = await startRun(stage.ask, { worktreeId: main, kind: 'SESSION', command: 'true' })
  const jobId = next.id.replace('run_', 'job_')
  await newer.offers.first('the next offer', (offer) => offer.jobId === jobId)
  const ending = await older.offers.over(3_000)
  assert.match(JSON.stringify(ending), /STALE_EPOCH/)
  assert.ok(older.offers.items.every((offer) => offer.jobId !== jobId))
  const { epoch } = older
  const again = subscribe(older.client, 'subscription ($epoch: Int!) { agentJobOffered(epoch: $epoch) { jobId } }', {
    epoch,
  })
  assert.match(JSON.stringify(await again.over(3_000)), /STALE_EPOCH/)
})

test('an agent gets NOT_FOUND for the jobs of another agent, and does not receive their offers', async () => {
  const owner = await startBareAgent(stage, 'owner')
  const { main } = await reportWorktree(stage, owner, '/srv/owner')
  const run = await startRun(stage.ask, { worktreeId: main, command: 'true' })
  const offer = await owner.offers.first('the offer', ({ signal }) => signal === 'OFFER')
  const other = await startBareAgent(stage, 'other')
  const job = { jobId: offer.jobId, attempt: offer.attempt }
  for (const [name, input, selection] of [
    ['acceptJob', job, 'runToken'],
    ['refuseJob', { ...job, code: 'NO', message: 'no' }, 'status'],
    ['appendJobLog', { ...job, chunks: [{ sequence: 0, stream: 'STDOUT', dataBase64: 'aGk=' }] }, 'nextSequence'],
    ['completeJob', { ...job, outcome: 'FAILED', processesLeft: 0, logChunks: 0, logSha256: '0'.repeat(64) }, 'status'],
  ] as const)
    assert.equal(await code(other.say(name, input, selection)), 'NOT_FOUND', name)
  assert.deepEqual(other.offers.items, [], 'an agent does not receive the offers of another agent')
  assert.ok(['ADMITTED', 'STARTING'].includes((await lookAt(stage.ask, run.id)).status))
})

test('a rotated credential replaces the old one at its first use, and another rotation replaces an unused one', async () => {
  const agent = await startBareAgent(stage, 'rotating')
  const first = await agent.say<{ credential: string }>('rotateAgentCredential', {}, 'credential')
  const second = await agent.say<{ credential: string }>('rotateAgentCredential', {}, 'credential')
  assert.notEqual(first.credential, second.credential, 'a repeat gives another one')
  assert.deepEqual(
    await closeOf(first.credential),
    { code: 4401, reason: 'Unauthorized' },
    'the former new one has ended',
  )
  const renewed = await connectBareAgent(stage, second.credential)
  assert.equal(renewed.agentId, agent.agentId)
  const old = await until(
    'the old one to be refused',
    async () => {
      const tried = await connectBareAgent(stage, agent.credential).catch((error: { code?: number }) => error)
      return (tried as { code?: number }).code
    },
    3_000,
  )
  assert.equal(old, 4401)
  assert.ok(
    await once(
      renewed.client,
      'agentHeartbeat',
      { epoch: renewed.epoch, load: 0, freeMemoryBytes: 0, jobs: [] },
      'serverTime',
    ).catch(() => 'stale'),
  )
})
