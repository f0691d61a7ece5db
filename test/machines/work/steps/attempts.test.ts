/** The attempts of a step: which end is followed by another attempt, and when it begins. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { StepContext } from '../../../../machines/work/steps/stepContext.ts'
import type { ActorEvent, Json } from '../../../../spec/core/actor.ts'
import { SampleActor } from '../../../kit/runtime/sampleActor.ts'

const tasks = {
  BUILD: { kind: 'BUILD', buildConfigurationId: 'bcf_1', buildKind: 'BUILD' },
  WORKFLOW: { kind: 'WORKFLOW', workflowId: 'wfl_1', inputs: {} },
}

/** A step with two attempts, whose first build or run has been created. */
function newStep(kind: keyof typeof tasks, more: Readonly<Record<string, Json>> = {}): SampleActor<StepContext> {
  const begin = { type: 'start', task: tasks[kind] }
  return new SampleActor<StepContext>('workflowStep', 'stp_1', { kind, begin, ...more }).send(created(1))
}

const created = (request: number): ActorEvent => ({
  ...{ type: 'requestAnswered', request },
  answer: { run: { id: `run_${request + 1}` } },
})
const ends = (status: string, more: Readonly<Record<string, Json>> = {}): ActorEvent => ({
  ...{ type: 'childChanged', runId: 'run_2', status, step: 9, problem: null, outputs: {} },
  ...more,
})
const timeLimit = { type: 'xstate.after.timeLimit.workflowStep.lifecycle.RUNNING' }
const delay = { type: 'xstate.after.retryDelay.workflowStep.lifecycle.WAITING_TO_RETRY' }
const pause = { type: 'setPaused', isPaused: true, revision: 1 }
const resume = { type: 'setPaused', isPaused: false, revision: 2 }
const oneAttempt = { retry: { maxAttempts: 1, delaySeconds: 10 } }

const lastReport = ({ messages }: SampleActor) =>
  messages.flatMap(({ event }) => (event.type === 'stepChanged' ? [event.status] : [])).at(-1)

for (const kind of ['BUILD', 'WORKFLOW'] as const) {
  test(`a ${kind} step that exceeds its time limit has another attempt`, () => {
    const step = newStep(kind).send(timeLimit)
    assert.equal(step.state, 'CANCELING')
    step.send(ends('CANCELED'))
    assert.equal(step.state, 'WAITING_TO_RETRY')
    step.send(delay)
    assert.deepEqual([step.state, step.context.attempt, step.context.ending], ['STARTING', 2, null])
  })

  test(`a ${kind} step without another attempt is TIMED_OUT after its time limit`, () => {
    const step = newStep(kind, oneAttempt).send(timeLimit).send(ends('CANCELED'))
    assert.deepEqual([step.state, step.context.problem?.code], ['TIMED_OUT', 'TIMED_OUT'])
  })
}

test('a BUILD step that exceeds its time limit has the outputs of its build', () => {
  const outputs = { status: 'CANCELED', build_id: 'bld_1' }
  const step = newStep('BUILD', oneAttempt).send(timeLimit).send(ends('CANCELED', { outputs }))
  assert.deepEqual(step.messages.find(({ event }) => event.type === 'stepChanged')?.event.outputs, outputs)
})

test('a cancel after the time limit ends the step without another attempt', () => {
  const step = newStep('BUILD').send(timeLimit).send({ type: 'cancel' }).send(ends('CANCELED'))
  assert.equal(step.state, 'CANCELED')
})

test('no attempt begins while the run is paused, and the delay begins again when it is resumed', () => {
  const step = newStep('WORKFLOW').send(ends('FAILED')).send(pause)
  assert.deepEqual([step.state, lastReport(step)], ['WAITING_TO_RETRY', 'PAUSED'])
  step.send(delay)
  assert.deepEqual([step.state, step.context.attempt], ['WAITING_TO_RETRY', 1])
  step.send(resume)
  assert.deepEqual([step.state, lastReport(step)], ['WAITING_TO_RETRY', 'ACTIVE'])
  assert.deepEqual(
    step.timers.map(({ event }) => event),
    [delay.type],
  )
  assert.deepEqual([step.send(delay).state, step.context.attempt], ['STARTING', 2])
})

test('a step whose work fails during a pause is PAUSED until the run is resumed', () => {
  const step = newStep('BUILD').send(pause).send(ends('FAILED'))
  assert.deepEqual([step.state, lastReport(step)], ['WAITING_TO_RETRY', 'PAUSED'])
})

test('a step whose run is skipped by the overlap policy of its workflow has failed', () => {
  assert.equal(newStep('WORKFLOW').send(ends('SKIPPED')).state, 'WAITING_TO_RETRY')
  const step = newStep('WORKFLOW', oneAttempt).send(ends('SKIPPED'))
  assert.deepEqual([step.state, step.context.problem?.code], ['FAILED', 'CHILD_SKIPPED'])
})

test('a request that is refused for its input has no other attempt, and one that is refused for a state has', () => {
  const begin = { type: 'start', task: tasks.WORKFLOW }
  const refused = (code: string) =>
    new SampleActor('workflowStep', 'stp_1', { kind: 'WORKFLOW', begin }).send({
      ...{ type: 'requestRefused', request: 1, code },
      message: 'no',
    }).state
  assert.deepEqual([refused('BAD_USER_INPUT'), refused('FAILED_PRECONDITION')], ['FAILED', 'WAITING_TO_RETRY'])
})
