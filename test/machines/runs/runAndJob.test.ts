/** A run and its job, where messages overtake one another: what each may believe, and who stops whom. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { JobContext } from '../../../machines/agents/jobActions.ts'
import type { RunContext } from '../../../machines/runs/runActions.ts'
import { SampleActor } from '../../kit/runtime/sampleActor.ts'
import { at } from '../../kit/runtime/samples/samples.ts'

const newRun = () => new SampleActor<RunContext>('run', 'run_1')
const newJob = (init = {}) => new SampleActor<JobContext>('job', 'job_1', init)

const admit = { type: 'admit', queuedAt: at }
const jobReady = { type: 'jobReady', jobId: 'job_1' }
const ownerGone = {
  type: 'refused',
  effect: 'tell',
  sent: 'jobReady',
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

test('a run that is canceled before its job reports that it is ready cancels the job after that report', () => {
  const run = newRun().send(admit).send({ type: 'cancel' })
  assert.deepEqual([run.state, run.sent.includes('job.cancel')], ['CANCELING', false])
  run.send(jobReady)
  assert.deepEqual(run.sent, ['job.cancel'])
})

test('a run whose job is ready cancels the job when the run is canceled and when it is force-ended', () => {
  for (const type of ['cancel', 'terminate']) {
    const run = newRun().send(admit).send(jobReady).send({ type })
    assert.ok(run.sent.includes('job.cancel'), type)
  }
  const both = newRun().send(admit).send(jobReady).send({ type: 'cancel' }).send({ type: 'terminate' })
  assert.ok(both.sent.includes('job.cancel'))
})

test('a report of the job that arrives after a later one is refused', () => {
  const run = newRun().send(admit).send(word(1, 'ACCEPTED')).send(word(3, 'STARTED'))
  for (const late of [waiting(2), word(2, 'PAUSED'), word(3, 'STARTED'), word(1, 'ACCEPTED')]) {
    assert.equal(run.try(late).type, 'refused', `${late.state} ${late.step}`)
  }
  assert.deepEqual([run.state, run.context.question, run.context.members.size], ['RUNNING', null, 0])
  run.send(waiting(4))
  assert.deepEqual([run.state, run.context.question], ['WAITING_FOR_INPUT', { id: 'q4', answered: false }])
})

test('a token of a job that was issued earlier does not replace a later one', () => {
  const token = (hash: string, issuedAt: number) => ({ type: 'tokenIssued', hash, issuedAt })
  const run = newRun()
    .send(admit)
    .send(token('later', at + 2))
    .send(token('earlier', at + 1))
  assert.equal(run.context.token?.hash, 'later')
})

test('a job whose run is gone is CANCELED if the agent has not accepted it, and CANCELING otherwise', () => {
  const queued = newJob().send(ownerGone)
  const offered = newJob().send(offer).send(ownerGone)
  for (const job of [queued, offered]) {
    assert.deepEqual([job.state, job.context.settled], ['CANCELED', true])
    assert.ok(job.sent.includes('worktreeQueue.settled'))
  }
  const running = newJob().send(offer).send(accept).send(ownerGone)
  assert.equal(running.state, 'CANCELING')
})

test('a job whose agent is gone is CANCELED as AGENT_REVOKED', () => {
  const job = newJob().send({ ...ownerGone, sent: 'jobWaiting' })
  assert.deepEqual([job.state, job.context.problem?.code], ['CANCELED', 'AGENT_REVOKED'])
})

test('a message of an agent over a replaced connection, or of another attempt, is refused', () => {
  const job = newJob().send({ type: 'offer', epoch: 2 })
  assert.deepEqual(codeOf(job.try(accept)), 'STALE_EPOCH')
  assert.deepEqual(codeOf(job.try({ ...accept, epoch: 2, attempt: 2 })), 'FAILED_PRECONDITION')
  job.send({ ...accept, epoch: 2 })
  // A connection after the offer may accept it too, and is the one that counts from then on.
  job.send({ ...accept, epoch: 3 })
  assert.equal(codeOf(job.try({ ...completed, epoch: 2 })), 'STALE_EPOCH')
})

test('a result that arrives twice is a repeat, and another result is refused', () => {
  const job = newJob().send(offer).send(accept).send(completed)
  assert.equal(job.state, 'SUCCEEDED')
  assert.equal(job.try(completed).type, 'repeated')
  assert.equal(job.try({ ...completed, logSha256: 'other' }).type, 'refused')
})

test('a completed job of which processes are left does not free its slot, and its agent receives their number', () => {
  const job = newJob()
    .send(offer)
    .send(accept)
    .send({ ...completed, processesLeft: 2 })
  assert.equal(job.sent.includes('worktreeQueue.settled'), false)
  const told = job.messages.find(({ to }) => to.kind === 'agent')
  assert.deepEqual([told?.event.settled, told?.event.left], [false, 2])
})

test('a job that can be retried is queued again after its lease has expired, and messages of the old attempt are refused', () => {
  const job = newJob({ onLost: 'RETRY' }).send(offer).send(accept).send({ type: 'leaseExpired' })
  assert.deepEqual([job.state, job.context.attempt], ['QUEUED', 2])
  job.send(offer)
  assert.equal(codeOf(job.try(accept)), 'FAILED_PRECONDITION')
  job.send({ ...accept, attempt: 2 })
  // The lease that ran out was the first attempt's; the second has one of its own.
  assert.equal(codeOf(job.try({ type: 'leaseExpired', attempt: 1 })), 'FAILED_PRECONDITION')
  assert.equal(newJob().send(offer).send(accept).send({ type: 'leaseExpired' }).state, 'LOST')
})

test('a canceled run has no problem if it succeeds, and otherwise the problem of its job or the reason of the cancel', () => {
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

test('a run whose job is accepted again after a question or a pause is RUNNING, not STARTING', () => {
  for (const pause of [waiting(2), word(2, 'PAUSED')]) {
    const run = newRun().send(admit).send(word(1, 'ACCEPTED')).send(pause)
    run.send(word(3, 'ACCEPTED', { token: { hash: 't2', issuedAt: at + 1 } }))
    assert.deepEqual([run.state, run.context.token?.hash], ['RUNNING', 't2'])
  }
})

function codeOf(result: { readonly type: string; readonly code?: string }): string {
  return result.code ?? result.type
}
