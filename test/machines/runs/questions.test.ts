/** A job that asks a person something: what comes meanwhile neither takes the question back nor lets the job time out. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { JobContext } from '../../../machines/agents/jobActions.ts'
import { jobMembers } from '../../../machines/agents/jobKeys.ts'
import type { ActorEvent } from '../../../spec/core/actor.ts'
import { UnorderedActors } from '../../kit/runtime/unorderedActors.ts'

const job = { kind: 'job', id: `job_${'0'.repeat(26)}` } as const
const word = { epoch: 1, attempt: 1 }
const timeoutSeconds = 60

/** A job that runs, before its first output. */
function running(): UnorderedActors {
  const world = new UnorderedActors()
  world.create(job, {
    kind: 'AI',
    agentId: `agt_${'0'.repeat(26)}`,
    owner: { kind: 'run', id: `run_${'0'.repeat(26)}` },
    queueId: null,
    worktreeId: `wt_${'0'.repeat(26)}`,
    topLevel: true,
    onLost: 'FAIL',
    timeoutSeconds,
    createdAt: world.now,
    spec: {},
  })
  world.send(job, { type: 'offer', epoch: 1 })
  world.send(job, { type: 'accept', ...word, tokenHash: null, issuedAt: world.now })
  return world
}

/** The last tell to the run. */
function toldRun(world: UnorderedActors): unknown {
  const said = world.mail
    .map(({ tell }) => tell)
    .filter(({ to, event }) => to.kind === 'run' && event.type === 'jobChanged')
  const { state, questionId } = (said.at(-1)?.event ?? {}) as ActorEvent & { state?: string; questionId?: string }
  return { state, questionId }
}

function fireDue(world: UnorderedActors): void {
  for (const { id, timer, due } of world.timers()) if (due <= world.now) world.fire(id, timer)
}

const ask = { type: 'waiting', ...word, questionId: 'q1', question: { title: 'May I?' } }

test('the first output that comes after a question leaves the question open', () => {
  const world = running()
  world.send(job, ask)
  world.send(job, { type: 'started', ...word })
  assert.deepEqual(toldRun(world), { state: 'WAITING', questionId: 'q1' })
  world.send(job, { type: 'answer', questionId: 'q1', answer: {} })
  world.send(job, { type: 'started', ...word })
  assert.equal(
    (toldRun(world) as { state: string }).state,
    'STARTED',
    'once the question is answered, output shows that the job continues',
  )
})

test('the first output of a job that is being canceled is a repeat', () => {
  const world = running()
  world.send(job, { type: 'cancel' })
  assert.equal(world.send(job, { type: 'started', ...word }).type, 'repeated')
})

test('a question stops the time limit of a job, and the answer starts it again', () => {
  const world = running()
  const status = () => world.state(job.id)
  world.send(job, ask)
  for (let time = 0; time < 3; time += 1) {
    world.now += (timeoutSeconds + 5) * 1_000
    fireDue(world)
  }
  assert.match(status(), /RUNNING/)
  world.send(job, { type: 'answer', questionId: 'q1', answer: {} })
  world.now += (timeoutSeconds - 1) * 1_000
  fireDue(world)
  world.send(job, { type: 'resumed', ...word, questionId: 'q1' })
  world.now += (timeoutSeconds - 1) * 1_000
  fireDue(world)
  assert.match(status(), /RUNNING/)
  world.now += 10_000
  fireDue(world)
  assert.match(status(), /CANCELING/, 'without a question its time is up')
})

test('a question that the agent repeats after the answer stays answered', () => {
  const world = running()
  const kept = () => world.context<JobContext>(job.id)
  world.send(job, ask)
  assert.equal(world.send(job, ask).type, 'repeated', 'before the answer too')
  world.send(job, { type: 'answer', questionId: 'q1', answer: { optionId: 'yes' } })
  assert.equal(world.send(job, ask).type, 'repeated')
  assert.deepEqual(kept().question, { id: 'q1', answered: true })
  assert.deepEqual(kept().members.get(jobMembers.answer), { optionId: 'yes' })
})

test('a second report that the job has resumed is a repeat, and the agent can ask the next question', () => {
  const world = running()
  const resumed = { type: 'resumed', ...word, questionId: 'q1' }
  world.send(job, ask)
  world.send(job, { type: 'answer', questionId: 'q1', answer: {} })
  assert.equal(world.send(job, resumed).type, 'accepted')
  assert.equal(world.send(job, resumed).type, 'repeated')
  assert.equal(world.send(job, { ...ask, questionId: 'q2' }).type, 'accepted')
  assert.deepEqual(toldRun(world), { state: 'WAITING', questionId: 'q2' })
})

test('a question over a replaced connection, or of another attempt, is refused and is not a repeat', () => {
  const world = running()
  world.send(job, { type: 'accept', epoch: 2, attempt: 1, tokenHash: null, issuedAt: world.now })
  world.send(job, { ...ask, epoch: 2 })
  assert.equal(world.send(job, ask).type, 'refused')
  assert.equal(world.send(job, { ...ask, epoch: 2, attempt: 2 }).type, 'refused')
})
