/** The execution of a workflow: cases that need several messages in a certain order. Each row is a message, the state after it, and what was sent. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ExecutionContext } from '../../../../machines/work/steps/executionContext.ts'
import type { ActorEvent, Json } from '../../../../spec/core/actor.ts'
import { SampleActor } from '../../../kit/runtime/sampleActor.ts'
import { at, inits } from '../../../kit/runtime/samples/samples.ts'

type Execution = SampleActor<ExecutionContext>
type Row = readonly [event: ActorEvent, state: string, told: readonly string[]]

const none = { command: null, ai: null, workflow: null, approval: null }
const command = (name: string, needs: readonly string[], more: Readonly<Record<string, Json>> = {}) => ({
  ...{ name, title: name, kind: 'COMMAND', needs, condition: 'SUCCEEDED', onlyIf: null, timeoutSeconds: null },
  retry: { maxAttempts: 1, delaySeconds: 10 },
  action: { ...none, command: { script: 'make', env: [] } },
  ...more,
})
const usesVersion = {
  action: { ...none, command: { script: 'make', env: [{ name: 'V', value: '{{steps.build.version}}' }] } },
}
const never = { onlyIf: { value: 'a', equals: 'b', differsFrom: null } }

const newExecution = (steps?: readonly Json[], reuse?: Json): Execution => {
  const spec = inits.workflowExecution.spec as { readonly definition: Readonly<Record<string, Json>> }
  const definition = steps === undefined ? spec.definition : { ...spec.definition, steps }
  return new SampleActor('workflowExecution', 'wfx_1', {
    spec: { ...spec, definition, ...(reuse === undefined ? {} : { reuse }) },
  })
}

const reports = (name: string, status: string, step: number, outputs: Json = {}): ActorEvent => ({
  ...{ type: 'stepChanged', name, status, step, outputs },
  problem: null,
})
const cancel = { type: 'cancel' }
const pause = { type: 'setPaused', isPaused: true, revision: 1 }
const resume = { type: 'setPaused', isPaused: false, revision: 2 }
const timeLimit = { type: 'xstate.after.timeLimit.workflowExecution.RUNNING' }
const cancelDeadline = { type: 'xstate.after.90000.workflowExecution.CANCELING' }
const ended = ['run.jobEnded', 'worktreeQueue.settled']

const cases: Readonly<Record<string, readonly Row[]>> = {
  'a timeout cancels the active steps, and the run is TIMED_OUT when they have ended': [
    [reports('build', 'ACTIVE', 1), 'RUNNING', []],
    [timeLimit, 'CANCELING', ['workflowStep.cancel']],
    [reports('build', 'CANCELED', 2), 'TIMED_OUT', ended],
  ],
  'a step that succeeds after the timeout begins no other step': [
    [reports('build', 'ACTIVE', 1), 'RUNNING', []],
    [timeLimit, 'CANCELING', ['workflowStep.cancel']],
    [reports('build', 'SUCCEEDED', 2), 'TIMED_OUT', ended],
  ],
  'a cancel before the first report of a step is sent to the step after that report': [
    [cancel, 'CANCELING', []],
    [reports('build', 'ACTIVE', 1), 'CANCELING', ['workflowStep.cancel']],
    [reports('build', 'CANCELED', 2), 'CANCELED', ended],
  ],
  'a step whose first report is its end needs no cancel': [
    [cancel, 'CANCELING', []],
    [reports('build', 'FAILED', 1), 'CANCELED', ended],
  ],
  'steps that do not confirm a cancel make the run LOST': [
    [cancel, 'CANCELING', []],
    [cancelDeadline, 'LOST', ended],
  ],
  'the execution is canceled if its run has ended without it': [
    [reports('build', 'ACTIVE', 1), 'RUNNING', []],
    [{ type: 'refused', sent: 'jobReady' }, 'CANCELING', ['workflowStep.cancel']],
  ],
  'a pause is confirmed when the last working step is paused': [
    [reports('build', 'ACTIVE', 1), 'RUNNING', []],
    [pause, 'RUNNING', ['workflowStep.setPaused']],
    [reports('build', 'ACTIVE', 2), 'RUNNING', []],
    [reports('build', 'PAUSED', 3), 'RUNNING', ['run.jobChanged']],
    [timeLimit, 'RUNNING', []],
    [resume, 'RUNNING', ['workflowStep.setPaused', 'run.jobChanged']],
  ],
  'a pause that was confirmed too early is confirmed again': [
    [reports('build', 'ACTIVE', 1), 'RUNNING', []],
    [pause, 'RUNNING', ['workflowStep.setPaused']],
    [reports('build', 'PAUSED', 2), 'RUNNING', ['run.jobChanged']],
    [resume, 'RUNNING', ['workflowStep.setPaused', 'run.jobChanged']],
    // The report that the step works again is still on its way.
    [{ ...pause, revision: 3 }, 'RUNNING', ['workflowStep.setPaused', 'run.jobChanged']],
    [reports('build', 'ACTIVE', 3), 'RUNNING', ['run.jobChanged']],
    [reports('build', 'PAUSED', 4), 'RUNNING', ['run.jobChanged']],
  ],
  'a pause before the first report of a step is sent to the step after that report': [
    [pause, 'RUNNING', []],
    [reports('build', 'ACTIVE', 1), 'RUNNING', ['workflowStep.setPaused']],
    [reports('build', 'PAUSED', 2), 'RUNNING', ['run.jobChanged']],
  ],
  'a paused execution begins no step until it is resumed': [
    [reports('build', 'ACTIVE', 1), 'RUNNING', []],
    [pause, 'RUNNING', ['workflowStep.setPaused']],
    [reports('build', 'SUCCEEDED', 2), 'RUNNING', ['run.jobChanged']],
    [resume, 'RUNNING', ['run.jobChanged', 'workflowStep.create']],
  ],
  'a step that waits for a person does not delay a pause, and its time does not count': [
    [reports('build', 'WAITING', 1), 'RUNNING', []],
    [timeLimit, 'RUNNING', []],
    [pause, 'RUNNING', ['workflowStep.setPaused', 'run.jobChanged']],
  ],
}

for (const [title, rows] of Object.entries(cases)) {
  test(title, () => {
    const execution = newExecution()
    for (const [event, state, told] of rows) {
      execution.send(event)
      assert.deepEqual([execution.state, execution.sent], [state, told], `after ${event.type}`)
    }
  })
}

test('the time limit starts again after a wait for a person, and only then', () => {
  const steps = [command('build', []), command('approve', []), command('publish', ['approve'])]
  const execution = newExecution(steps)
  const due = () => execution.timers.find(({ event }) => event === timeLimit.type)?.due ?? 0
  const begun = due()
  execution.send(reports('build', 'ACTIVE', 1)).send(reports('approve', 'WAITING', 1))
  execution.send(reports('build', 'SUCCEEDED', 2))
  assert.equal(due(), begun, 'nothing has been waited for yet')
  const later = at + 4 * 3_600_000
  execution.send({ ...reports('approve', 'SUCCEEDED', 2), at: later })
  const limitMs = begun - at
  assert.equal(due(), later + limitMs)
  execution.send({ ...reports('publish', 'ACTIVE', 1), at: later + 1_000 })
  assert.equal(due(), later + limitMs)
})

test('a step with a workflow that is paused beyond its time limit has the limit again afterwards', () => {
  const task = { kind: 'WORKFLOW', workflowId: 'wfl_1', inputs: {} }
  const begin = { type: 'start', task }
  const step = new SampleActor('workflowStep', 'stp_1', { kind: 'WORKFLOW', timeoutSeconds: 60, begin })
  const limit = 'xstate.after.timeLimit.workflowStep.lifecycle.RUNNING'
  step.send({ type: 'requestAnswered', request: 1, answer: { run: { id: 'run_9' } } })
  step.send(pause).send({ type: limit, at: at + 120_000 })
  assert.deepEqual(
    step.timers.filter(({ event }) => event === limit),
    [{ event: limit, due: at + 180_000 }],
  )
  step.send({ ...resume, at: at + 130_000 }).send({ type: limit, at: at + 180_000 })
  assert.match(step.state, /CANCELING/)
})

/** The steps that the last transition has created, and how each begins. */
const begun = ({ messages }: Execution) =>
  messages.flatMap(({ create }) => {
    const { name, begin } = (create ?? {}) as { readonly name?: string; readonly begin?: { readonly type: string } }
    return name === undefined ? [] : [`${name}: ${begin?.type}`]
  })

const result = ({ messages }: Execution) =>
  messages.flatMap(({ event }) => (event.type === 'jobEnded' ? [[event.outcome, event.result]] : []))

test('reused steps have ended from the start, with their outputs, and the steps after them begin', () => {
  const steps = [command('build', []), command('test', ['build'], usesVersion)]
  const execution = newExecution(steps, { build: { stepId: 'stp_9', outputs: { version: '7' } } })
  assert.deepEqual(begun(execution), ['build: reuse', 'test: start'])
  execution.send(reports('test', 'SUCCEEDED', 1))
  assert.deepEqual(result(execution), [['SUCCEEDED', { outputs: { version: '7' } }]])
})

test('a step is executed again if a step that it needs, directly or behind others, is executed again', () => {
  const always = { condition: 'ALWAYS' }
  const steps = [
    ...[command('build', []), command('lint', []), command('deploy', ['build'])],
    command('rollback', ['deploy'], { condition: 'FAILED' }),
    ...[command('report', ['rollback', 'deploy'], always), command('docs', ['lint'], always)],
  ]
  const reused = Object.fromEntries(
    ['build', 'lint', 'rollback', 'report', 'docs'].map((name) => [name, { stepId: `stp_${name}`, outputs: {} }]),
  )
  const execution = newExecution(steps, reused)
  assert.deepEqual(begun(execution), ['build: reuse', 'lint: reuse', 'deploy: start', 'docs: reuse'])
  execution.send(reports('deploy', 'FAILED', 1))
  assert.deepEqual(begun(execution), ['rollback: start'])
  execution.send(reports('rollback', 'SUCCEEDED', 1))
  assert.deepEqual(begun(execution), ['report: start'])
})

test('a step behind a step that its own condition skips again is reused', () => {
  const steps = [
    command('build', []),
    command('rollback', ['build'], { condition: 'FAILED' }),
    command('report', ['rollback'], { condition: 'ALWAYS' }),
    command('deploy', ['build']),
  ]
  const reused = { build: { stepId: 'stp_1', outputs: {} }, report: { stepId: 'stp_2', outputs: {} } }
  const execution = newExecution(steps, reused)
  assert.deepEqual(begun(execution), ['build: reuse', 'rollback: skip', 'report: reuse', 'deploy: start'])
})

test('a command whose environment is larger than agents accept fails without an attempt', () => {
  const uses = { action: { ...none, command: { script: 'make', env: [{ name: 'A', value: '{{steps.build.text}}' }] } } }
  const execution = newExecution([command('build', []), command('test', ['build'], uses)])
  execution.send(reports('build', 'SUCCEEDED', 1, { text: 'x'.repeat(33_000) }))
  assert.deepEqual(begun(execution), ['test: fail'])
  const [created] = execution.messages.flatMap(({ create }) => (create === undefined ? [] : [create]))
  assert.match(JSON.stringify(created), /ENVIRONMENT_TOO_LARGE.*33[0-9]+ bytes/)
})

test('the report of a reused step is a repeat', () => {
  const execution = newExecution(undefined, { build: { stepId: 'stp_9', outputs: {} } })
  assert.equal(execution.try(reports('build', 'SUCCEEDED', 1)).type, 'repeated')
})

test('a step fails without an attempt if a value that it uses is missing', () => {
  const execution = newExecution([command('build', []), command('test', ['build'], usesVersion)])
  execution.send(reports('build', 'SUCCEEDED', 1))
  assert.deepEqual(begun(execution), ['test: fail'])
  assert.deepEqual([execution.state, result(execution)], ['FAILED', [['FAILED', { outputs: {} }]]])
})

test('the outputs of a skipped step are left out of the outputs of the run', () => {
  const execution = newExecution([command('test', []), command('build', ['test'], never)])
  execution.send(reports('test', 'SUCCEEDED', 1))
  assert.deepEqual(begun(execution), ['build: skip'])
  assert.deepEqual(result(execution), [['SUCCEEDED', { outputs: {} }]])
})

test('a step that its own comparison skips does not stop the steps that need it, and a failed step does', () => {
  const skipped = newExecution([command('build', [], never), command('test', ['build'])])
  assert.deepEqual(begun(skipped), ['build: skip', 'test: start'])
  const failed = newExecution([command('build', []), command('test', ['build']), command('deploy', ['test'])])
  failed.send(reports('build', 'FAILED', 1))
  assert.deepEqual(begun(failed), ['test: skip', 'deploy: skip'])
  assert.equal(failed.state, 'FAILED')
})
