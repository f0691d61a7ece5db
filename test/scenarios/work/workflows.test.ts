/** Workflows on a real agent: each kind of step, what steps pass on, and how a run ends, is paused, canceled and restarted. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { commandStep } from '../../kit/program/commandStep.ts'
import { type Machine, startMachine } from '../../kit/program/machine.ts'
import { makeWorkflow, mutate, type RunView, runFields, untilRun } from '../../kit/program/runs.ts'
import { gate, refusal, startTestProgram, type TestProgram } from '../../kit/program/testProgram.ts'
import { until } from '../../kit/program/until.ts'

let stage: TestProgram
let machine: Machine

const branches = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', 'i', 'j', 'k']

before(async () => {
  stage = await startTestProgram()
  machine = await startMachine(stage, { branches })
})
after(() => stage?.end())

interface StepView {
  readonly id: string
  readonly name: string
  readonly status: string
  readonly attempt: number
  readonly jobId: string | null
  readonly childRunId: string | null
  readonly reusedFromId: string | null
  readonly decision: string | null
  readonly decidedBy: { readonly name: string } | null
  readonly problem: { readonly code: string; readonly message: string } | null
}

const stepFields =
  'id name status attempt jobId childRunId reusedFromId decision decidedBy { ... on ApiKey { name } } problem { code message }'

const start = async (workflowId: string, branch: string, inputs: Readonly<Record<string, unknown>> = {}) =>
  (
    await mutate<{ run: RunView }>(
      stage.ask,
      'startWorkflow',
      { workflowId, worktreeId: machine.worktree(branch), inputs },
      `run { ${runFields} }`,
    )
  ).run

async function stepsOf(runId: string): Promise<readonly StepView[]> {
  const { run } = await stage.ask<{ run: { steps: readonly StepView[] } }>(
    `query ($id: ID!) { run(id: $id) { ... on WorkflowRun { steps { ${stepFields} } } } }`,
    { id: runId },
  )
  return run.steps
}

async function stepOf(runId: string, name: string): Promise<StepView> {
  const step = (await stepsOf(runId)).find((one) => one.name === name)
  assert.ok(step, `the run has no step ${name}`)
  return step
}

const untilStep = (runId: string, name: string, status: string): Promise<StepView> =>
  until(`step ${name} to be ${status}`, async () => {
    const step = await stepOf(runId, name)
    return step.status === status ? step : undefined
  })

const statusesOf = async (runId: string) =>
  Object.fromEntries((await stepsOf(runId)).map((one) => [one.name, one.status]))

/** The outputs of a step, by name. Its run is not polled with them, because 50 steps can have many. */
async function outputsOf(stepId: string): Promise<Readonly<Record<string, string>>> {
  const { workflowStep } = await stage.ask<{
    workflowStep: { outputs: readonly { readonly name: string; readonly value: string }[] }
  }>('query ($id: ID!) { workflowStep(id: $id) { outputs { name value } } }', { id: stepId })
  return Object.fromEntries(workflowStep.outputs.map(({ name, value }) => [name, value]))
}

async function slotsHeld(branch: string): Promise<number> {
  const { queue } = await stage.ask<{ queue: { slotsHeld: number } }>(
    'query ($id: ID!) { queue: node(id: $id) { ... on WorktreeQueue { slotsHeld } } }',
    { id: machine.worktree(branch).replace('wt_', 'que_') },
  )
  return queue.slotsHeld
}

async function logOf(runId: string, step: string): Promise<string> {
  const { runLog } = await stage.ask<{ runLog: { text: string } }>(
    'query ($runId: ID!, $step: String) { runLog(runId: $runId, step: $step) { text } }',
    { runId, step },
  )
  return runLog.text
}

test('steps get the inputs of the run and the outputs of other steps, and each has a log of its own', async () => {
  const workflowId = await makeWorkflow(stage.ask, {
    name: 'release',
    inputs: [
      { name: 'branch', type: 'TEXT', required: true },
      { name: 'count', type: 'NUMBER', default: 2 },
    ],
    steps: [
      commandStep('build', 'echo "building $INPUT_BRANCH"; echo "version=1.$INPUT_COUNT" >> "$SIGNALBOX_OUTPUT"'),
      {
        name: 'test',
        action: {
          command: {
            script: 'echo "testing $VERSION"',
            env: [{ name: 'VERSION', value: '{{steps.build.version}} of {{inputs.branch}}' }],
          },
        },
      },
    ],
    outputs: [{ name: 'version', value: 'v{{steps.build.version}}' }],
  })
  const { id } = await start(workflowId, 'a', { branch: '$(touch x); "main"' })
  await untilRun(stage.ask, id, ['SUCCEEDED'])
  assert.match(await logOf(id, 'build'), /building \$\(touch x\); "main"/)
  assert.match(await logOf(id, 'test'), /testing 1\.2 of \$\(touch x\); "main"/)
  const build = await stepOf(id, 'build')
  assert.deepEqual(await outputsOf(build.id), { version: '1.2' })
  assert.match(build.jobId ?? '', /^job_/)
  const { run } = await stage.ask<{ run: { result: { outputs: readonly { name: string; value: string }[] } } }>(
    'query ($id: ID!) { run(id: $id) { result { outputs { name value } } } }',
    { id },
  )
  assert.deepEqual(run.result.outputs, [{ name: 'version', value: 'v1.2' }])
  const { code, message } = await refusal(
    stage.ask('query ($runId: ID!) { runLog(runId: $runId) { text } }', { runId: id }),
  )
  assert.deepEqual(
    [code, message],
    ['BAD_USER_INPUT', 'step: give the name of a step. Its COMMAND steps: build, test.'],
  )
})

test('inputs are checked at the start: required ones, types and names', async () => {
  const workflowId = await makeWorkflow(stage.ask, {
    name: 'checked',
    inputs: [
      { name: 'target', type: 'CHOICE', choices: ['ios', 'mac'], required: true },
      { name: 'clean', type: 'BOOLEAN' },
    ],
    steps: [commandStep('one', 'true')],
  })
  const cases: readonly [inputs: Readonly<Record<string, unknown>>, field: string, message: RegExp][] = [
    [{}, 'inputs.target', /is required\. Give one of "ios", "mac"/],
    [{ target: 'tv' }, 'inputs.target', /must be one of "ios", "mac", not "tv"/],
    [{ target: 'ios', clean: 'yes' }, 'inputs.clean', /must be true or false/],
    [{ target: 'ios', color: 'red' }, 'inputs.color', /the workflow has only the inputs target, clean/],
  ]
  for (const [inputs, field, message] of cases) {
    const refused = await refusal(start(workflowId, 'a', inputs))
    assert.deepEqual([refused.code, refused.details?.field], ['BAD_USER_INPUT', field])
    assert.match(refused.message, message)
  }
})

test('steps that do not need each other run at the same time in one slot', async () => {
  const [left, right] = [gate(stage, 'left'), gate(stage, 'right')]
  const workflowId = await makeWorkflow(stage.ask, {
    name: 'parallel',
    exclusiveWorktree: true,
    steps: [
      commandStep('left', left.command),
      commandStep('right', right.command, { needs: [] }),
      commandStep('join', 'true', { needs: ['left', 'right'] }),
    ],
  })
  const { id } = await start(workflowId, 'b')
  await Promise.all([left.untilBegun(), right.untilBegun()])
  assert.deepEqual(await statusesOf(id), { left: 'RUNNING', right: 'RUNNING', join: 'PENDING' })
  assert.equal(await slotsHeld('b'), 1)
  await Promise.all([left.open(), right.open()])
  await untilRun(stage.ask, id, ['SUCCEEDED'])
  await until('the slot to be released', async () => ((await slotsHeld('b')) === 0 ? true : undefined))
})

test('conditions decide which steps run after a failure, and a comparison skips a step', async () => {
  const workflowId = await makeWorkflow(stage.ask, {
    name: 'conditions',
    inputs: [{ name: 'deploy', type: 'CHOICE', choices: ['yes', 'no'], default: 'no' }],
    steps: [
      commandStep('build', 'exit 3'),
      commandStep('test', 'true'),
      commandStep('report', 'true', { needs: ['build'], condition: 'FAILED' }),
      commandStep('clean', 'true', { needs: ['test'], condition: 'ALWAYS' }),
      commandStep('deploy', 'true', { needs: ['clean'], onlyIf: { value: '{{inputs.deploy}}', equals: 'yes' } }),
      commandStep('announce', 'true'),
    ],
  })
  const { id } = await start(workflowId, 'c')
  const ended = await untilRun(stage.ask, id, ['FAILED'])
  assert.match(ended.problem?.message ?? '', /^Step “build” ended with exit code 3\./)
  assert.deepEqual(await statusesOf(id), {
    build: 'FAILED',
    test: 'SKIPPED',
    report: 'SUCCEEDED',
    clean: 'SUCCEEDED',
    deploy: 'SKIPPED',
    announce: 'SUCCEEDED',
  })
  assert.deepEqual((await stepOf(id, 'test')).problem?.code, 'NEEDED_STEP_FAILED')
  assert.deepEqual((await stepOf(id, 'deploy')).problem?.code, 'CONDITION_NOT_MET')
})

test('a step that fails is repeated, and the second attempt can succeed', async () => {
  const workflowId = await makeWorkflow(stage.ask, {
    name: 'retry',
    steps: [
      commandStep('flaky', 'echo attempt >> tries; test "$(wc -l < tries)" -ge 2', {
        retry: { maxAttempts: 3, delaySeconds: 1 },
      }),
    ],
  })
  const { id } = await start(workflowId, 'd')
  await untilRun(stage.ask, id, ['SUCCEEDED'])
  const step = await stepOf(id, 'flaky')
  assert.deepEqual([step.status, step.attempt], ['SUCCEEDED', 2])
})

test('a missing output fails the step that uses it, and the problem names the output', async () => {
  const workflowId = await makeWorkflow(stage.ask, {
    name: 'missing',
    steps: [
      commandStep('build', 'true'),
      {
        name: 'use',
        action: { command: { script: 'true', env: [{ name: 'V', value: '{{steps.build.version}}' }] } },
      },
    ],
  })
  const { id } = await start(workflowId, 'd')
  await untilRun(stage.ask, id, ['FAILED'])
  const { status, problem } = await stepOf(id, 'use')
  assert.deepEqual(
    [status, problem?.code, problem?.message],
    ['FAILED', 'MISSING_VALUE', 'The step "build" has no output "version".'],
  )
})

const decide = (stepId: string, decision: string, comment?: string) =>
  mutate<{ step: StepView }>(stage.ask, 'decideApproval', { stepId, decision, comment }, `step { ${stepFields} }`)

test('an approval waits for a person as an item of the Action Center, and its decision is final', async () => {
  const workflowId = await makeWorkflow(stage.ask, {
    name: 'approve',
    steps: [
      commandStep('build', 'echo "version=7" >> "$SIGNALBOX_OUTPUT"'),
      { name: 'ask', title: 'Ask a person', action: { approval: { message: 'Deploy {{steps.build.version}}?' } } },
      commandStep('deploy', 'true'),
    ],
  })
  const { id } = await start(workflowId, 'e')
  const asked = await untilStep(id, 'ask', 'WAITING_FOR_APPROVAL')
  const { actionCenter } = await stage.ask<{
    actionCenter: { items: readonly { kind: string; detail: string; actions: readonly { operation: string }[] }[] }
  }>('{ actionCenter { items { kind detail actions { operation } } } }')
  const item = actionCenter.items.find(({ kind }) => kind === 'STEP_WAITING_FOR_APPROVAL')
  assert.equal(item?.detail, 'Deploy 7?')
  assert.equal(item?.actions[0]?.operation, 'decideApproval')
  const { step } = await decide(asked.id, 'APPROVED', 'Looks right.')
  assert.deepEqual([step.status, step.decision], ['SUCCEEDED', 'APPROVED'])
  assert.ok(step.decidedBy?.name)
  await untilRun(stage.ask, id, ['SUCCEEDED'])
  const again = await decide(asked.id, 'APPROVED', 'Looks right.')
  assert.equal(again.step.status, 'SUCCEEDED')
  const { code } = await refusal(decide(asked.id, 'REJECTED'))
  assert.equal(code, 'FAILED_PRECONDITION')
})

test('a rejected or an expired approval fails the run', async () => {
  const approval = (deadlineSeconds?: number) => ({
    name: 'approve',
    steps: [{ name: 'ask', action: { approval: { message: 'Deploy?', deadlineSeconds } } }],
  })
  const rejected = await start(await makeWorkflow(stage.ask, approval()), 'e')
  await decide((await untilStep(rejected.id, 'ask', 'WAITING_FOR_APPROVAL')).id, 'REJECTED', 'Not today.')
  const run = await untilRun(stage.ask, rejected.id, ['FAILED'])
  assert.match(run.problem?.message ?? '', /REJECTED: Not today\./)
  const late = await start(await makeWorkflow(stage.ask, approval(1)), 'f')
  const expired = await untilRun(stage.ask, late.id, ['FAILED'])
  assert.match(expired.problem?.message ?? '', /APPROVAL_EXPIRED/)
})

test('a workflow starts another one, which shares its slot and returns its outputs', async () => {
  const innerId = await makeWorkflow(stage.ask, {
    name: 'inner',
    exclusiveWorktree: true,
    inputs: [{ name: 'word', type: 'TEXT', required: true }],
    steps: [commandStep('shout', 'echo "loud=$(echo "$INPUT_WORD" | tr a-z A-Z)" >> "$SIGNALBOX_OUTPUT"')],
    outputs: [{ name: 'loud', value: '{{steps.shout.loud}}' }],
  })
  const outerId = await makeWorkflow(stage.ask, {
    name: 'outer',
    exclusiveWorktree: true,
    steps: [
      { name: 'inner', action: { workflow: { workflowId: innerId, inputs: [{ name: 'word', value: 'hello' }] } } },
      {
        name: 'say',
        action: { command: { script: 'echo "$LOUD"', env: [{ name: 'LOUD', value: '{{steps.inner.loud}}' }] } },
      },
    ],
  })
  const { id } = await start(outerId, 'g')
  await untilRun(stage.ask, id, ['SUCCEEDED'])
  assert.match(await logOf(id, 'say'), /HELLO/)
  const inner = await stepOf(id, 'inner')
  const { childRunId } = inner
  assert.deepEqual(await outputsOf(inner.id), { loud: 'HELLO', run_id: childRunId })
  const { run } = await stage.ask<{ run: { parentRunId: string } }>(
    'query ($id: ID!) { run(id: $id) { parentRunId } }',
    {
      id: childRunId,
    },
  )
  assert.equal(run.parentRunId, id)
})

test('a step gives another workflow the values of its number and boolean inputs as texts', async () => {
  const innerId = await makeWorkflow(stage.ask, {
    name: 'typed',
    inputs: [
      { name: 'count', type: 'NUMBER', required: true },
      { name: 'loud', type: 'BOOLEAN', required: true },
      { name: 'limit', type: 'NUMBER', default: 7 },
    ],
    steps: [commandStep('show', 'echo "all=$INPUT_COUNT $INPUT_LOUD $INPUT_LIMIT" >> "$SIGNALBOX_OUTPUT"')],
    outputs: [{ name: 'all', value: '{{steps.show.all}}' }],
  })
  const calls = (count: string) => ({
    workflow: {
      workflowId: innerId,
      inputs: [
        { name: 'count', value: count },
        { name: 'loud', value: 'true' },
        { name: 'limit', value: '' },
      ],
    },
  })
  const outerId = await makeWorkflow(stage.ask, {
    name: 'typed outer',
    steps: [
      commandStep('measure', 'echo "count=3" >> "$SIGNALBOX_OUTPUT"'),
      { name: 'inner', action: calls('{{steps.measure.count}}') },
    ],
  })
  const { id } = await start(outerId, 'g')
  await untilRun(stage.ask, id, ['SUCCEEDED'])
  assert.equal((await outputsOf((await stepOf(id, 'inner')).id)).all, '3 true 7')

  const wrongId = await makeWorkflow(stage.ask, {
    name: 'wrong type',
    steps: [{ name: 'inner', retry: { maxAttempts: 3, delaySeconds: 600 }, action: calls('three') }],
  })
  const failed = await start(wrongId, 'g')
  await untilRun(stage.ask, failed.id, ['FAILED'])
  const { problem, attempt } = await stepOf(failed.id, 'inner')
  assert.deepEqual(
    [problem, attempt],
    [{ code: 'BAD_USER_INPUT', message: 'inputs.count: must be a number, not "three".' }, 1],
  )
})

test('canceling a run cancels its active steps and their child runs', async () => {
  const inner = gate(stage, 'inner')
  const innerId = await makeWorkflow(stage.ask, { name: 'inner', steps: [commandStep('wait', inner.command)] })
  const beside = gate(stage, 'beside')
  const outerId = await makeWorkflow(stage.ask, {
    name: 'outer',
    steps: [
      { name: 'inner', action: { workflow: { workflowId: innerId } } },
      commandStep('beside', beside.command, { needs: [] }),
      commandStep('never', 'true', { condition: 'ALWAYS' }),
    ],
  })
  const { id } = await start(outerId, 'h')
  await Promise.all([inner.untilBegun(), beside.untilBegun()])
  const childRunId = (await stepOf(id, 'inner')).childRunId ?? ''
  await mutate(stage.ask, 'cancelRun', { runId: id, reason: 'enough' }, 'run { status }')
  const ended = await untilRun(stage.ask, id, ['CANCELED'], 30_000)
  assert.equal(ended.problem?.message, 'enough')
  await untilRun(stage.ask, childRunId, ['CANCELED'])
  assert.deepEqual(await statusesOf(id), { inner: 'CANCELED', beside: 'CANCELED', never: 'PENDING' })
})

test('a run of a workflow can be paused and resumed', async () => {
  const waiting = gate(stage, 'pause')
  const workflowId = await makeWorkflow(stage.ask, {
    name: 'pause',
    steps: [commandStep('first', waiting.command), commandStep('second', 'true')],
  })
  const { id } = await start(workflowId, 'i')
  await waiting.untilBegun()
  await mutate(stage.ask, 'pauseRun', { runId: id }, 'run { status }')
  await untilRun(stage.ask, id, ['PAUSED'])
  await mutate(stage.ask, 'resumeRun', { runId: id }, 'run { status }')
  await untilRun(stage.ask, id, ['RUNNING'])
  await waiting.open()
  await untilRun(stage.ask, id, ['SUCCEEDED'])
})

test('a run is restarted from its failed step, with the outputs of the others', async () => {
  const workflowId = await makeWorkflow(stage.ask, {
    name: 'restart',
    steps: [
      commandStep('build', 'echo run >> builds; echo "version=$(wc -l < builds)" >> "$SIGNALBOX_OUTPUT"'),
      {
        name: 'deploy',
        action: {
          command: {
            script: 'test -e ready && echo "deployed $V"',
            env: [{ name: 'V', value: '{{steps.build.version}}' }],
          },
        },
      },
      { ...commandStep('report', 'echo "reported"'), condition: 'ALWAYS' },
    ],
  })
  const failed = await start(workflowId, 'j')
  await untilRun(stage.ask, failed.id, ['FAILED'])
  const fix = await makeWorkflow(stage.ask, { name: 'fix', steps: [commandStep('fix', 'touch ready')] })
  await untilRun(stage.ask, (await start(fix, 'j')).id, ['SUCCEEDED'])
  // The version is pinned: what is published later does not change a restarted run.
  await mutate(
    stage.ask,
    'saveWorkflowDraft',
    { workflowId, name: 'restart', steps: [commandStep('other', 'exit 9')] },
    'workflow { id }',
  )
  await mutate(stage.ask, 'publishWorkflow', { workflowId }, 'workflow { version }')
  const { run } = await mutate<{ run: RunView }>(
    stage.ask,
    'retryRun',
    { runId: failed.id, fromFailedStep: true },
    `run { ${runFields} }`,
  )
  await untilRun(stage.ask, run.id, ['SUCCEEDED'])
  const [build, deploy, report] = await stepsOf(run.id)
  assert.deepEqual([build?.status, build?.attempt, deploy?.status], ['SUCCEEDED', 0, 'SUCCEEDED'])
  assert.equal(build?.reusedFromId, (await stepOf(failed.id, 'build')).id)
  assert.match(await logOf(run.id, 'deploy'), /deployed 1/)
  // It had succeeded too, and it reports about a step that was executed again.
  assert.deepEqual([report?.status, report?.attempt, report?.reusedFromId], ['SUCCEEDED', 1, null])
  const { code } = await refusal(mutate(stage.ask, 'retryRun', { runId: run.id, fromFailedStep: true }, 'run { id }'))
  assert.equal(code, 'FAILED_PRECONDITION')
})

test('a step that exceeds its timeout is ended, and so is a run', async () => {
  const slow = gate(stage, 'slow')
  const workflowId = await makeWorkflow(stage.ask, {
    name: 'slow',
    steps: [commandStep('slow', slow.command, { timeoutSeconds: 1 })],
  })
  const { id } = await start(workflowId, 'k')
  await untilRun(stage.ask, id, ['FAILED'], 30_000)
  assert.equal((await stepOf(id, 'slow')).status, 'TIMED_OUT')
  const whole = await makeWorkflow(stage.ask, {
    name: 'whole',
    timeoutSeconds: 2,
    steps: [commandStep('slow', gate(stage, 'slower').command, { timeoutSeconds: 60 })],
  })
  const late = await untilRun(stage.ask, (await start(whole, 'k')).id, ['TIMED_OUT'], 30_000)
  assert.equal(late.problem?.code, 'TIMED_OUT')
})

test('a workflow can be archived only when no run of it is active, and can be restored', async () => {
  const waiting = gate(stage, 'archive')
  const workflowId = await makeWorkflow(stage.ask, { name: 'archive', steps: [commandStep('wait', waiting.command)] })
  const { id } = await start(workflowId, 'a')
  await waiting.untilBegun()
  const archive = () =>
    mutate<{ workflow: { status: string } }>(stage.ask, 'archiveWorkflow', { workflowId }, 'workflow { status }')
  assert.equal((await refusal(archive())).code, 'FAILED_PRECONDITION')
  await waiting.open()
  await untilRun(stage.ask, id, ['SUCCEEDED'])
  const archived = await until('the workflow to be archived', async () => await archive().catch(() => undefined))
  assert.equal(archived.workflow.status, 'ARCHIVED')
  assert.equal((await refusal(start(workflowId, 'a'))).code, 'FAILED_PRECONDITION')
  const { workflow } = await mutate<{ workflow: { status: string } }>(
    stage.ask,
    'unarchiveWorkflow',
    { workflowId },
    'workflow { status }',
  )
  assert.equal(workflow.status, 'PUBLISHED')
})

test('a run has the definition with which it was started', async () => {
  const workflowId = await makeWorkflow(stage.ask, {
    name: 'first name',
    steps: [commandStep('one', 'true'), { ...commandStep('two', 'true'), needs: [] }],
  })
  const { id } = await start(workflowId, 'a')
  await mutate(
    stage.ask,
    'saveWorkflowDraft',
    { workflowId, name: 'second name', steps: [commandStep('other', 'true')] },
    'workflow { id }',
  )
  await mutate(stage.ask, 'publishWorkflow', { workflowId }, 'workflow { id }')
  const { run } = await stage.ask<{ run: { definition: unknown } }>(
    'query ($id: ID!) { run(id: $id) { ... on WorkflowRun { definition { name steps { name needs } } } } }',
    { id },
  )
  assert.deepEqual(run.definition, {
    name: 'first name',
    steps: [
      { name: 'one', needs: [] },
      { name: 'two', needs: [] },
    ],
  })
})
