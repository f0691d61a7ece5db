/** A run and its job, where messages overtake one another: what each may believe, and who stops whom. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { JobContext } from '../../../machines/agents/jobSteps.ts'
import type { RunContext } from '../../../machines/runs/runSteps.ts'
import { SampleActor } from '../../kit/runtime/sampleActor.ts'
import { at } from '../../kit/runtime/samples/samples.ts'

const newRun = () => new SampleActor<RunContext>('run', 'run_1')
const newJob = (init = {}) => new SampleActor<JobContext>('job', 'job_1', init)

const admit = { type: 'admit', queuedAt: at }
const jobReady = { type: 'jobReady', jobId: 'job_1' }
const ownerGone = {
  type: 'refused',
  effect: 'tell',
  told: 'jobReady',
  by: { kind: 'run', id: 'run_1' },
  code: 'X',
  message: 'x',
}
const fence = { epoch: 1, attempt: 1 }
const offer = { type: 'offer', epoch: 1 }
const accept = { type: 'accept', ...fence, tokenHash: 't', issuedAt: at }
const completed = {
  ...fence,
  type: 'complete',
  outcome: 'SUCCEEDED',
  exitCode: 0,
  signal: null,
  problem: null,
  processesLeft: 0,
  logChunks: 0,
  logSha256: 'h',
  result: null,
}

function word(step: number, state: string, more = {}) {
  return { type: 'jobChanged', jobId: 'job_1', step, state, token: null, questionId: null, question: null, ...more }
}

const waiting = (step: number) => word(step, 'WAITING', { questionId: `q${step}`, question: { ask: '?' } })

test('a run that was canceled before its job made itself known stops the job as soon as it does', () => {
  const run = newRun().send(admit).send({ type: 'cancel' })
  assert.deepEqual([run.state, run.told.includes('job.cancel')], ['CANCELING', false])
  run.send(jobReady)
  assert.deepEqual(run.told, ['job.cancel'])
})

test('a run that knows its job stops it with the cancellation, and with the termination', () => {
  for (const type of ['cancel', 'terminate']) {
    const run = newRun().send(admit).send(jobReady).send({ type })
    assert.ok(run.told.includes('job.cancel'), type)
  }
  const both = newRun().send(admit).send(jobReady).send({ type: 'cancel' }).send({ type: 'terminate' })
  assert.ok(both.told.includes('job.cancel'))
})

test('a word of the job that a later one has overtaken is not believed', () => {
  const run = newRun().send(admit).send(word(1, 'ACCEPTED')).send(word(3, 'STARTED'))
  for (const late of [waiting(2), word(2, 'PAUSED'), word(3, 'STARTED'), word(1, 'ACCEPTED')]) {
    assert.equal(run.try(late).type, 'refused', `${late.state} ${late.step}`)
  }
  assert.deepEqual([run.state, run.context.question, run.context.members.size], ['RUNNING', null, 0])
  run.send(waiting(4))
  assert.deepEqual([run.state, run.context.question], ['WAITING_FOR_INPUT', { id: 'q4', answered: false }])
})

test('of two tokens of a job the one that was issued last counts', () => {
  const token = (hash: string, issuedAt: number) => ({ type: 'tokenIssued', hash, issuedAt })
  const run = newRun()
    .send(admit)
    .send(token('later', at + 2))
    .send(token('earlier', at + 1))
  assert.equal(run.context.token?.hash, 'later')
})

test('a job whose run is gone ends, however far it has come', () => {
  const queued = newJob().send(ownerGone)
  const offered = newJob().send(offer).send(ownerGone)
  for (const job of [queued, offered]) {
    assert.deepEqual([job.state, job.context.settled], ['CANCELED', true])
    assert.ok(job.told.includes('worktreeQueue.settled'))
  }
  const running = newJob().send(offer).send(accept).send(ownerGone)
  assert.equal(running.state, 'CANCELING')
})

test('a job whose agent is gone ends', () => {
  const job = newJob().send({ ...ownerGone, told: 'jobWaiting' })
  assert.deepEqual([job.state, job.context.problem?.code], ['CANCELED', 'AGENT_REVOKED'])
})

test('what an agent says over a connection that was replaced, or of another attempt, is refused', () => {
  const job = newJob().send({ type: 'offer', epoch: 2 })
  assert.deepEqual(codeOf(job.try(accept)), 'STALE_EPOCH')
  assert.deepEqual(codeOf(job.try({ ...accept, epoch: 2, attempt: 2 })), 'FAILED_PRECONDITION')
  job.send({ ...accept, epoch: 2 })
  // A connection after the offer may accept it too, and is the one that counts from then on.
  job.send({ ...accept, epoch: 3 })
  assert.equal(codeOf(job.try({ ...completed, epoch: 2 })), 'STALE_EPOCH')
})

test('a result that is told twice is taken once', () => {
  const job = newJob().send(offer).send(accept).send(completed)
  assert.equal(job.state, 'SUCCEEDED')
  assert.equal(job.try(completed).type, 'repeated')
  assert.equal(job.try({ ...completed, logSha256: 'other' }).type, 'refused')
})

test('a job of which processes are left gives its place back only when the agent says that they are gone', () => {
  const job = newJob()
    .send(offer)
    .send(accept)
    .send({ ...completed, processesLeft: 2 })
  assert.equal(job.told.includes('worktreeQueue.settled'), false)
  const told = job.said.find(({ to }) => to.kind === 'agent')
  assert.deepEqual([told?.event.settled, told?.event.left], [false, 2])
})

test('work that may be repeated begins anew after its agent was lost, and nothing of the old attempt counts', () => {
  const job = newJob({ onLost: 'RETRY' }).send(offer).send(accept).send({ type: 'leaseExpired' })
  assert.deepEqual([job.state, job.context.attempt], ['QUEUED', 2])
  job.send(offer)
  assert.equal(codeOf(job.try(accept)), 'FAILED_PRECONDITION')
  job.send({ ...accept, attempt: 2 })
  // The lease that ran out was the first attempt's; the second has one of its own.
  assert.equal(codeOf(job.try({ type: 'leaseExpired', attempt: 1 })), 'FAILED_PRECONDITION')
  assert.equal(newJob().send(offer).send(accept).send({ type: 'leaseExpired' }).state, 'LOST')
})

test('a run that succeeds though it was canceled has no problem, and one that ends otherwise says what the job says', () => {
  const reason = { code: 'CANCELED_BY_REQUEST', message: 'not needed' }
  const ended = (outcome: string, problem: object | null) => {
    const end = { type: 'jobEnded', jobId: 'job_1', outcome, problem, exit: null, result: null }
    const run = newRun().send(admit).send(jobReady)
    return run.send({ type: 'cancel', ...reason }).send(end).context.problem
  }
  const lost = { code: 'AGENT_LOST', message: 'm' }
  assert.equal(ended('SUCCEEDED', null), null)
  assert.deepEqual(ended('CANCELED', lost), reason)
  assert.deepEqual(ended('LOST', lost), lost)
  assert.deepEqual(ended('FAILED', null), reason)
})

test('a run whose answered question is behind it runs, it does not start anew', () => {
  for (const pause of [waiting(2), word(2, 'PAUSED')]) {
    const run = newRun().send(admit).send(word(1, 'ACCEPTED')).send(pause)
    run.send(word(3, 'ACCEPTED', { token: { hash: 't2', issuedAt: at + 1 } }))
    assert.deepEqual([run.state, run.context.token?.hash], ['RUNNING', 't2'])
  }
})

function codeOf(result: { readonly type: string; readonly code?: string }): string {
  return result.code ?? result.type
}
