/** A run and its job while a person pauses, resumes or interrupts the run. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { JobContext } from '../../../machines/agents/jobActions.ts'
import { addJobPause, addRunPause } from '../../../machines/runs/addPause.ts'
import { interruptedCode, type RunContext } from '../../../machines/runs/runActions.ts'
import { SampleActor } from '../../kit/runtime/sampleActor.ts'
import { at } from '../../kit/runtime/samples/samples.ts'

const word = (step: number, state: string, more = {}) => ({
  ...{ type: 'jobChanged', jobId: 'job_1', step, state, token: null, questionId: null, question: null },
  ...more,
})
const startedRun = (init = {}) =>
  new SampleActor<RunContext>('run', 'run_1', init)
    .send({ type: 'admit', queuedAt: at })
    .send({ type: 'jobReady', jobId: 'job_1' })
    .send(word(1, 'ACCEPTED'))

const fence = { epoch: 1, attempt: 1 }
const runningJob = () =>
  new SampleActor<JobContext>('job', 'job_1')
    .send({ type: 'offer', epoch: 1 })
    .send({ type: 'accept', ...fence, tokenHash: 't', issuedAt: at })
const reported = (isPaused: boolean) => ({ type: 'pauseReported', ...fence, isPaused })
const setPaused = (isPaused: boolean, revision: number) => ({ type: 'setPaused', isPaused, revision })

test('a run is PAUSED once its agent confirms the pause, and RUNNING once its agent confirms the resume', () => {
  const run = startedRun().send({ type: 'pause' })
  assert.deepEqual([run.state, run.context.pause.isRequested, run.sent], ['STARTING', true, ['job.setPaused']])
  assert.equal(run.send(word(2, 'PAUSED')).state, 'PAUSED')
  run.send({ type: 'resume' })
  assert.deepEqual([run.state, run.messages[0]?.event], ['PAUSED', { type: 'setPaused', isPaused: false, revision: 2 }])
  assert.equal(run.send(word(3, 'STARTED')).state, 'RUNNING')
})

test('a repeated pause and a repeated resume change nothing', () => {
  const run = startedRun()
  assert.equal(run.try({ type: 'resume' }).type, 'repeated')
  assert.equal(run.send({ type: 'pause' }).try({ type: 'pause' }).type, 'repeated')
})

test('a run that has not started refuses a pause as FAILED_PRECONDITION', () => {
  const queued = new SampleActor<RunContext>('run', 'run_1')
  const result = queued.try({ type: 'pause' })
  assert.equal(result.type, 'refused')
  assert.ok(result.type === 'refused' && result.code === 'FAILED_PRECONDITION')
})

test('a paused run is canceled like any other', () => {
  const run = startedRun().send({ type: 'pause' }).send(word(2, 'PAUSED')).send({ type: 'cancel' })
  assert.deepEqual([run.state, run.sent], ['CANCELING', ['job.cancel']])
})

test('a session run can be interrupted, and a workflow run cannot', () => {
  const run = startedRun().send({ type: 'interrupt' })
  assert.deepEqual([run.state, run.context.problem?.code, run.sent], ['CANCELING', interruptedCode, ['job.cancel']])
  assert.equal(run.try({ type: 'interrupt' }).type, 'repeated')
  const ended = { type: 'jobEnded', jobId: 'job_1', outcome: 'CANCELED', problem: null, exit: null, result: null }
  run.send(ended)
  assert.deepEqual([run.state, run.context.problem?.code], ['CANCELED', interruptedCode])
  assert.equal(startedRun({ kind: 'WORKFLOW' }).try({ type: 'interrupt' }).type, 'refused')
})

test('a cancel replaces an interruption, and a second cancel does not replace the first', () => {
  const run = startedRun().send({ type: 'interrupt' })
  run.send({ type: 'cancel', code: 'CANCELED_BY_REQUEST', message: 'Enough.' })
  assert.deepEqual([run.state, run.context.problem?.message, run.sent], ['CANCELING', 'Enough.', []])
  assert.equal(run.try({ type: 'cancel' }).type, 'repeated')
  assert.equal(run.try({ type: 'interrupt' }).type, 'repeated')
  const silent = startedRun().send({ type: 'interrupt' }).send({ type: 'cancel' })
  assert.equal(silent.context.problem, null)
})

test('a question stays open during a pause, is answered after it, and notifies once', () => {
  const question = { title: 'May I?', options: [{ optionId: 'yes', name: 'Yes', kind: 'allow_once' }] }
  const asks = (step: number, state: string) =>
    word(step, state, { questionId: 'q', question: state === 'WAITING' ? question : null })
  const notices = () => run.actions.filter(({ type }) => type === 'notify').length
  const run = startedRun().send(asks(2, 'WAITING'))
  assert.equal(notices(), 1)
  run.send({ type: 'pause' }).send(asks(3, 'PAUSED'))
  assert.deepEqual(run.context.question, { id: 'q', answered: false })
  const answer = { type: 'answer', questionId: 'q', answer: { optionId: 'yes' } }
  const early = run.try(answer)
  assert.ok(early.type === 'refused' && /Resume it/.test(early.message), JSON.stringify(early))
  run.send({ type: 'resume' }).send(asks(4, 'WAITING'))
  assert.equal(notices(), 0)
  run.send(answer).send({ type: 'pause' }).send(asks(5, 'PAUSED')).send({ type: 'resume' }).send(asks(6, 'WAITING'))
  assert.equal(run.try(answer).type, 'refused', 'it was answered before the pause')
  run.send(word(7, 'STARTED'))
  assert.equal(run.context.question, null)
})

test('a paused job reports to its run that it is paused, whatever else it receives meanwhile', () => {
  const job = runningJob().send(setPaused(true, 1)).send(reported(true))
  const state = () => job.messages.find(({ event }) => event.type === 'jobChanged')?.event.state
  assert.equal(state(), 'PAUSED')
  job.send({ type: 'waiting', ...fence, questionId: 'q', question: { title: '?' } })
  assert.equal(state(), 'PAUSED', 'the CLI asked just before it was stopped')
  job.send(setPaused(false, 2)).send(reported(false))
  assert.equal(state(), 'WAITING')
})

test('an older request does not replace a newer one', () => {
  const job = runningJob().send(setPaused(false, 2))
  assert.equal(job.try(setPaused(true, 1)).type, 'repeated')
  assert.equal(job.context.pause.isRequested, false)
})

test('the time limit of a paused job does not end it', () => {
  const job = runningJob().send(setPaused(true, 1)).send(reported(true))
  const limit = (job.context.init.timeoutSeconds + 5) * 1_000
  const timer = { type: `xstate.after.timeLimit.job.lifecycle.RUNNING`, at: at + limit + 60_000 }
  assert.equal(job.send(timer).state, 'RUNNING')
  job.send(setPaused(false, 2)).send(reported(false))
  assert.equal(job.send({ ...timer, at: at + 3 * limit + 200_000 }).state, 'CANCELING')
})

test('a report of a pause and a resume that arrive while a job is CANCELING change nothing', () => {
  const job = runningJob().send(setPaused(true, 1)).send({ type: 'cancel' })
  assert.equal(job.try(reported(true)).type, 'repeated')
  assert.equal(job.try(setPaused(false, 2)).type, 'repeated')
})

test('runs and jobs of version 2 are not paused', () => {
  const stored = { value: { lifecycle: 'RUNNING' }, context: { id: 'x_1' } }
  const pause = { isRequested: false, revision: 0 }
  assert.deepEqual(addRunPause(stored), { ...stored, context: { id: 'x_1', pause } })
  assert.deepEqual(addJobPause(stored), { ...stored, context: { id: 'x_1', pause: { ...pause, isConfirmed: false } } })
})
