/** Messages of a workflow's run, execution, steps and jobs that arrive late. `npm run props:workflows` has found each of these cases. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { RunContext } from '../../../../machines/runs/runActions.ts'
import type { StepContext, StepInit } from '../../../../machines/work/steps/stepContext.ts'
import { jobIdOf } from '../../../../machines/work/steps/stepKeys.ts'
import type { ActorEvent } from '../../../../spec/core/actor.ts'
import { SampleActor } from '../../../kit/runtime/sampleActor.ts'
import { inits } from '../../../kit/runtime/samples/samples.ts'

const stepId = 'stp_1'
const jobId = jobIdOf(stepId, 1)
const admit = { type: 'admit', queuedAt: 1 }
const pause = { type: 'setPaused', isPaused: true, revision: 1 }
const refused = { type: 'refused', sent: 'stepChanged', code: 'FAILED_PRECONDITION', message: 'It has ended.' }
const answered = { type: 'requestAnswered', request: 1, answer: { run: { id: 'run_2' } } }

const newRun = () => new SampleActor<RunContext>('run', 'run_1', { kind: 'WORKFLOW', jobKind: 'STEPS' })
const newAiRun = () => new SampleActor<RunContext>('run', 'run_1')
const startedAiRun = () =>
  newAiRun()
    .send(admit)
    .send({ ...jobChanged(1, 'STARTED'), token: null, questionId: null, question: null })
const newStep = (kind: string, task: Readonly<Record<string, unknown>> = {}, retry?: StepInit['retry']) =>
  new SampleActor<StepContext>('workflowStep', stepId, {
    ...inits.workflowStep,
    ...(retry === undefined ? {} : { retry }),
    kind,
    begin: { type: 'start', task: { kind, ...task } } as never,
  })
const commandStep = () => newStep('COMMAND', { script: 'make', env: {} })
const aiStep = (retry?: StepInit['retry']) => newStep('AI', { runKind: 'SESSION', prompt: 'Do it.' }, retry)
const jobChanged = (step: number, state: string): ActorEvent => ({ type: 'jobChanged', jobId, step, state })
const sent = (actor: { readonly messages: SampleActor['messages'] }) =>
  actor.messages.map(({ to, event }) => `${to.kind}.${event.type}`)

test('a new execution first reports to its run that it exists, so that the run can cancel it', () => {
  const execution = new SampleActor('workflowExecution', 'wfx_1')
  assert.equal(execution.sent[0], 'run.jobReady')
})

test('a run that was canceled before its execution existed cancels the execution', () => {
  const run = newRun().send(admit).send({ type: 'cancel' })
  assert.deepEqual([run.state, sent(run)], ['CANCELING', []])
  run.send({ type: 'jobReady', jobId: 'wfx_1' })
  assert.deepEqual(sent(run), ['workflowExecution.cancel'])
})

test('a run that was force-ended before its execution existed refuses it, which cancels its steps', () => {
  const run = newRun().send(admit).send({ type: 'terminate' })
  assert.equal(run.try({ type: 'jobReady', jobId: 'wfx_1' }).type, 'refused')
  const execution = new SampleActor('workflowExecution', 'wfx_1').send({ type: 'refused', sent: 'jobReady' })
  assert.equal(execution.state, 'CANCELING')
})

test('a step ends if its execution has ended before the first report of the step', () => {
  const waiting = newStep('APPROVAL', { message: 'Deploy?', deadlineSeconds: null })
  const ends = {
    QUEUED: [commandStep(), 'CANCELED'],
    RUNNING: [commandStep().send(admit), 'CANCELING'],
    STARTING: [aiStep(), 'CANCELING'],
    WAITING_FOR_APPROVAL: [waiting, 'CANCELED'],
    WAITING_TO_RETRY: [
      commandStep().send(admit).send({ type: 'jobEnded', jobId, outcome: 'FAILED', problem: null, result: null }),
      'CANCELED',
    ],
  } as const
  for (const [state, [step, end]] of Object.entries(ends)) {
    assert.equal(step.state, state)
    step.send(refused)
    assert.equal(step.state, end, state)
  }
})

test('a pause that came before the agent had accepted the job is sent again when the job reports', () => {
  const step = commandStep().send(admit).send({ type: 'jobReady', jobId }).send(pause)
  assert.deepEqual(sent(step), ['job.setPaused'], 'a job that is not RUNNING ignores it')
  step.send(jobChanged(1, 'ACCEPTED'))
  assert.deepEqual(sent(step), ['job.setPaused', 'workflowExecution.stepChanged'])
  step.send(jobChanged(2, 'PAUSED'))
  assert.deepEqual(sent(step), ['workflowExecution.stepChanged'])
})

test('a pause that came before the agent had accepted the job of a run is sent again when the job reports', () => {
  const run = newAiRun().send({ type: 'pause', revision: 1 })
  assert.deepEqual(sent(run), [], 'there is no job yet')
  run.send(admit)
  run.send({ ...jobChanged(1, 'ACCEPTED'), token: null, questionId: null, question: null })
  assert.deepEqual(
    run.messages.filter(({ to }) => to.kind === 'job').map(({ event }) => event),
    [{ type: 'setPaused', isPaused: true, revision: 1 }],
  )
})

test('a pause of a step that arrives after the resume does not pause the run', () => {
  for (const run of [newAiRun(), newAiRun().send(admit), startedAiRun()]) {
    run.send({ type: 'resume', revision: 2 })
    assert.equal(run.try({ type: 'pause', revision: 1 }).type, 'repeated', run.state)
    assert.equal(run.context.pause.isRequested, false, run.state)
  }
})

test('the run of a step is resumed only by its step while its workflow run is paused', () => {
  const run = startedAiRun().send({ type: 'pause', revision: 1 })
  const result = run.try({ type: 'resume' })
  assert.equal(result.type, 'refused')
  assert.match('message' in result ? result.message : '', /Resume the workflow run/)
  run.send({ type: 'resume', revision: 2 })
  assert.deepEqual(sent(run), ['job.setPaused'])
})

test('a person pauses only a run that has started', () => {
  for (const run of [newAiRun(), newAiRun().send(admit)])
    assert.equal(run.try({ type: 'pause' }).type, 'refused', run.state)
})

test('a step whose run is in a deadlock cancels it, and is repeated unless it is canceled meanwhile', () => {
  const deadlock = { type: 'deadlockFound', runId: 'run_2', runIds: ['run_2', 'run_1'] }
  const ended = { ...{ type: 'childChanged', runId: 'run_2', status: 'CANCELED' }, step: 9, problem: null, outputs: {} }
  const waiting = () => aiStep({ maxAttempts: 2, delaySeconds: 1 }).send(answered).send(deadlock)
  assert.deepEqual([waiting().state, sent(waiting())], ['CANCELING', ['run.cancel']])
  assert.equal(waiting().send(ended).state, 'WAITING_TO_RETRY')
  const canceled = waiting().send({ type: 'cancel' }).send(ended)
  assert.deepEqual([canceled.state, canceled.context.ending], ['CANCELED', 'CANCEL'])
  const last = aiStep({ maxAttempts: 1, delaySeconds: 1 }).send(answered).send(deadlock).send(ended)
  assert.deepEqual([last.state, last.context.problem?.code], ['FAILED', 'DEADLOCK'])
})

test('a report of a deadlock that is late changes nothing', () => {
  const deadlock = { type: 'deadlockFound', runId: 'run_2', runIds: ['run_2', 'run_1'] }
  const ended = aiStep().send(answered).send({ type: 'cancel' })
  const other = aiStep().send({ ...answered, answer: { run: { id: 'run_3' } } })
  for (const step of [ended, other, aiStep()]) assert.equal(step.try(deadlock).type, 'repeated', step.state)
})

const cancelTimer: ActorEvent = { type: 'xstate.after.75000.workflowStep.lifecycle.CANCELING' }

test('a step that was canceled waits for the answer to its request, and then cancels the run', () => {
  const step = aiStep().send({ type: 'cancel' })
  step.try(cancelTimer)
  assert.equal(step.state, 'CANCELING', 'its run may be created later')
  step.send(answered)
  assert.deepEqual([step.state, sent(step)], ['CANCELING', ['run.cancel']])
  assert.equal(step.send(cancelTimer).state, 'LOST', 'no message confirmed that the run has ended')
})

test('a step is lost if an operator gives up the request for its run', () => {
  const failed = { type: 'effectFailed', effectId: 'e', effect: 'requestOperation', problem: 'Timeout.' }
  for (const step of [aiStep(), aiStep().send({ type: 'cancel' })]) {
    step.send(failed).send({ type: 'effectGivenUp', effectId: 'e' })
    assert.deepEqual([step.state, step.context.problem?.code], ['LOST', 'GIVEN_UP'])
  }
  const other = aiStep()
    .send({ ...failed, effect: 'notify' })
    .send({ type: 'effectGivenUp', effectId: 'e' })
  assert.equal(other.state, 'STARTING')
})
