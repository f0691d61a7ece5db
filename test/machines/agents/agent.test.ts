/** The tells of an agent to its jobs and queues, in slices if there are many. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { AgentContext } from '../../../machines/agents/agentActions.ts'
import { fanOut } from '../../../machines/framework/act.ts'
import type { ActorEvent } from '../../../spec/core/actor.ts'
import { SampleActor } from '../../kit/runtime/sampleActor.ts'

const newAgent = () => new SampleActor<AgentContext>('agent', 'agt_1')
const jobId = (n: number): string => `job_${String(n).padStart(6, '0')}`

const connect = {
  type: 'connect',
  facts: { hostname: 'h', platform: 'p', arch: 'a', version: '1' },
  clis: [],
  forgot: [] as string[],
  gone: [] as string[],
}
const jobWaiting = (id: string, topLevel = true) => ({ type: 'jobWaiting', jobId: id, topLevel })
const jobEnded = (id: string, settled: boolean, left: number | null = null) => ({
  type: 'jobEnded',
  jobId: id,
  settled,
  left,
  runId: 'run_1',
  queueId: 'que_1',
})

const toJobs = (agent: SampleActor<AgentContext>, event: string): string[] =>
  agent.messages.filter((tell) => tell.event.type === event).map(({ to }) => to.id)

/** Delivers the agent's tells to itself until there are none. Returns all its tells. */
function goOn(agent: SampleActor<AgentContext>): string[] {
  const all: string[] = []
  const more: ActorEvent[] = []
  for (;;) {
    all.push(...agent.messages.map(({ to, event }) => `${to.kind}.${event.type} ${to.id}`))
    const others = agent.messages.filter(({ to }) => to.kind !== 'agent')
    assert.ok(others.length <= fanOut, `one transition sends ${others.length} tells to others`)
    more.push(...agent.messages.filter(({ to }) => to.kind === 'agent').map(({ event }) => event))
    const next = more.shift()
    if (next === undefined) return all
    agent.send(next)
  }
}

test('a waiting job is offered when the agent connects, and only once', () => {
  const agent = newAgent().send(jobWaiting('job_1'))
  assert.deepEqual(agent.sent, [])
  agent.send(connect)
  assert.deepEqual(toJobs(agent, 'offer'), ['job_1'])
  agent.send(connect)
  assert.deepEqual(toJobs(agent, 'offer'), [])
  assert.deepEqual(agent.context.epoch, 2)
})

test('a job that asks again is notified if it gets no offer now, and a job that asks for the first time only waits', () => {
  const again = { ...jobWaiting('job_1'), again: true }
  const agent = newAgent().send(jobWaiting('job_1'))
  assert.deepEqual(agent.sent, [])
  assert.deepEqual(agent.send(again).sent, ['job.notOffered'])
  agent.send(connect)
  assert.deepEqual(agent.send(again).sent, ['job.offer'])
  assert.deepEqual(agent.send({ type: 'drain' }).send(again).sent, ['job.notOffered'])
})

test('a draining agent is offered the jobs of child runs, and no top-level job until the drain ends', () => {
  const agent = newAgent().send(connect).send({ type: 'drain' })
  assert.deepEqual(agent.send(jobWaiting('job_new', true)).sent, [])
  assert.deepEqual(toJobs(agent.send(jobWaiting('job_child', false)), 'offer'), ['job_child'])
  agent.send({ type: 'activate' })
  assert.deepEqual(toJobs(agent, 'offer'), ['job_new'])
})

test('each of many waiting jobs is offered once when the agent connects', () => {
  const count = 2 * fanOut + 7
  const agent = newAgent()
  for (let n = 0; n < count; n++) agent.send(jobWaiting(jobId(n)))
  agent.send(connect)
  const offers = goOn(agent).filter((one) => one.startsWith('job.offer'))
  assert.equal(new Set(offers).size, count)
  assert.equal(offers.length, count)
})

test('each of many jobs that the agent no longer has is notified', () => {
  const forgot = Array.from({ length: 2 * fanOut + 7 }, (_, n) => jobId(n))
  const agent = newAgent().send({ ...connect, forgot })
  assert.deepEqual(
    goOn(agent).filter((one) => one.startsWith('job.agentForgot')),
    forgot.map((id) => `job.agentForgot ${id}`),
  )
})

test('an agent that first connects with many jobs of each kind sends at most 200 tells in a transition, and each tell once', () => {
  const count = fanOut + 30
  const names = (prefix: string) => Array.from({ length: count }, (_, n) => `job_${prefix}${n}`)
  const agent = newAgent()
  for (const id of names('waits')) agent.send(jobWaiting(id))
  for (const id of names('gone')) agent.send(jobEnded(id, false))
  const said = goOn(agent.send({ ...connect, forgot: names('forgot'), gone: names('gone') }))
  const tally = (start: string) => said.filter((one) => one.startsWith(start)).length
  assert.deepEqual(
    [tally('enrollment.used'), tally('job.offer'), tally('job.agentForgot'), tally('worktreeQueue.settled')],
    [1, count, count, count],
  )
  assert.equal(new Set(said.filter((one) => one.startsWith('job.'))).size, 2 * count)
  assert.equal(agent.context.loose, 0)
})

test('each of many ended jobs that the agent confirms at once frees its slot', () => {
  const agent = newAgent().send(connect)
  const ids = Array.from({ length: 2 * fanOut + 7 }, (_, n) => jobId(n))
  for (const id of ids) agent.send(jobEnded(id, false))
  const said = goOn(agent.send({ type: 'jobsGone', jobIds: ids }))
  assert.equal(said.filter((one) => one.startsWith('worktreeQueue.settled')).length, ids.length)
  assert.equal(agent.context.loose, 0)
})

test('the end of a drain notifies at most 200 queues and jobs in a transition, and all of them in the end', () => {
  const count = fanOut + 30
  const agent = newAgent().send(connect).send({ type: 'drain' })
  for (let n = 0; n < count; n++) {
    agent.send(jobWaiting(jobId(n))).send({ type: 'queueAdded', queueId: `que_${n}`, worktreeId: `wt_${n}` })
  }
  const said = goOn(agent.send({ type: 'activate' }))
  assert.equal(said.filter((one) => one.startsWith('job.offer')).length, count)
  assert.equal(said.filter((one) => one.startsWith('worktreeQueue.agentDrain')).length, count)
})

test('the next slice of an earlier connection or drain is refused', () => {
  const agent = newAgent().send(connect).send(connect)
  assert.equal(agent.try({ type: 'connectMore', epoch: 1, gone: [], forgot: [], after: '' }).type, 'refused')
  agent.send({ type: 'drain' }).send({ type: 'activate' })
  assert.equal(agent.try({ type: 'drainMore', after: '', revision: 1 }).type, 'refused')
})

test('an ended job is loose until the agent confirms that nothing is left of it, and then its slot is free', () => {
  const agent = newAgent().send(connect).send(jobEnded('job_1', false)).send(jobEnded('job_2', true))
  assert.equal(agent.context.loose, 1)
  agent.send({ type: 'jobsGone', jobIds: ['job_1', 'job_2', 'job_1'] })
  assert.deepEqual([agent.context.loose, agent.sent], [0, ['worktreeQueue.settled']])
})

test('an ended job that the agent reports as gone when it connects frees its slot', () => {
  const agent = newAgent()
    .send(connect)
    .send(jobEnded('job_1', false))
    .send({ ...connect, gone: ['job_1'] })
  assert.deepEqual([agent.context.loose, agent.sent], [0, ['worktreeQueue.settled']])
})

test('the loss of an agent ends the leases of the jobs that it has, not of the jobs that wait for it', () => {
  const agent = newAgent().send(connect).send(jobWaiting('job_1')).send({ type: 'disconnected', epoch: 1 })
  agent.send(jobWaiting('job_2')).send({ type: 'lost', epoch: 1 })
  assert.deepEqual(toJobs(agent, 'leaseExpired'), ['job_1'])
})

test('a message about a connection that was replaced is refused', () => {
  const agent = newAgent().send(connect).send(connect)
  for (const type of ['disconnected', 'silent', 'heartbeatReceived', 'lost']) {
    const result = agent.try({ type, epoch: 1 })
    assert.deepEqual([result.type, 'code' in result && result.code], ['refused', 'STALE_EPOCH'])
  }
  assert.equal(agent.state, 'CONNECTED')
})

test('before a revoked agent ends, it notifies its jobs and queues and frees the slots of loose jobs', () => {
  const agent = newAgent().send(connect)
  for (let n = 0; n < fanOut + 7; n++) agent.send(jobWaiting(jobId(n)))
  agent.send(jobEnded('job_loose', false)).send({ type: 'queueAdded', queueId: 'que_9', worktreeId: 'wt_9' })
  const said = goOn(agent.send({ type: 'revoke' }))
  assert.equal(said.filter((one) => one.startsWith('job.agentRevoked')).length, fanOut + 7)
  assert.ok(said.includes('worktreeQueue.settled que_1'))
  assert.ok(said.includes('worktreeQueue.agentRevoked que_9'))
  assert.equal(agent.state, 'REVOKED.OVER')
})

test('a queue that is added while the agent drains is notified of the drain', () => {
  const agent = newAgent().send(connect).send({ type: 'drain' })
  agent.send({ type: 'queueAdded', queueId: 'que_9', worktreeId: 'wt_9' })
  assert.deepEqual(agent.sent, ['worktreeQueue.agentDrain'])
})

test('a claim that is repeated after the agent has connected does not replace its credential', () => {
  const agent = newAgent().send({ type: 'recredential', hash: 'second' })
  assert.equal(agent.context.credential.hash, 'second')
  agent.send(connect)
  assert.equal(agent.try({ type: 'recredential', hash: 'third' }).type, 'refused')
  agent.send({ type: 'disconnected', epoch: 1 })
  assert.equal(agent.try({ type: 'recredential', hash: 'third' }).type, 'refused')
  assert.equal(agent.context.credential.hash, 'second')
})

test('a revoked agent refuses to drain and to become active, also after it has ended', () => {
  for (const before of [newAgent(), newAgent().send(connect).send({ type: 'drain' })]) {
    const agent = before.send({ type: 'revoke' })
    const refuses = () => {
      for (const type of ['drain', 'activate'])
        assert.equal(agent.try({ type }).type, 'refused', `${type} ${agent.state}`)
    }
    refuses()
    goOn(agent)
    assert.equal(agent.state, 'REVOKED.OVER')
    refuses()
  }
})

test('an agent stores how many processes are left of an ended job, in either order of the reports, until the job is gone', () => {
  const left = { type: 'jobLeft', jobId: 'job_1', left: 2 }
  const known = (agent: SampleActor<AgentContext>) =>
    agent.context.members.get('loose/job_1') as { left: number | null }
  const after = newAgent().send(connect).send(jobEnded('job_1', false)).send(left)
  assert.equal(known(after).left, 2)
  // The job's own word of its end may come later than the agent's.
  const before = newAgent().send(connect).send(jobWaiting('job_1')).send(left).send(jobEnded('job_1', false))
  assert.equal(known(before).left, 2)
  assert.deepEqual(before.send({ type: 'jobsGone', jobIds: ['job_1'] }).sent, ['worktreeQueue.settled'])
  assert.equal(newAgent().send(connect).send(left).context.loose, 0, 'nothing is stored for a settled job')
})

test('a silent or lost agent that sends heartbeats on its connection is CONNECTED again and is offered the waiting jobs', () => {
  for (const gone of ['silent', 'lost']) {
    const agent = newAgent().send(connect).send({ type: gone, epoch: 1 }).send(jobWaiting('job_1'))
    assert.deepEqual(agent.sent, [])
    agent.send({ type: 'heartbeatReceived', epoch: 1 })
    assert.deepEqual([agent.state, agent.context.online, toJobs(agent, 'offer')], ['CONNECTED', true, ['job_1']])
    assert.equal(agent.try({ type: 'heartbeatReceived', epoch: 1 }).type, 'repeated')
    assert.equal(agent.context.epoch, 1, 'the connection is the same')
  }
})
