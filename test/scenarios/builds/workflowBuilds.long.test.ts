/** Steps of workflows that build a build configuration, on a machine with the real agent. */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { commandStep } from '../../kit/program/commandStep.ts'
import { git, type Machine, startMachine } from '../../kit/program/machine.ts'
import { createConfiguration, lookAtBuild, untilBuild, withRemote } from '../../kit/program/objects/builds.ts'
import { makeWorkflow, mutate, type RunView, runFields, untilRun } from '../../kit/program/runs.ts'
import { gate, refusal, startTestProgram, type TestProgram } from '../../kit/program/testProgram.ts'
import { until } from '../../kit/program/until.ts'

let stage: TestProgram
let machine: Machine
let repositoryId = ''

before(async () => {
  stage = await startTestProgram()
  machine = await startMachine(stage, { branches: ['feature'] })
  ;({ repositoryId } = await withRemote(stage, machine))
})
after(() => stage?.end())

interface StepView {
  readonly id: string
  readonly name: string
  readonly status: string
  readonly attempt: number
  readonly childRunId: string | null
  readonly buildId: string | null
  readonly build: { readonly status: string } | null
  readonly problem: { readonly code: string; readonly message: string } | null
  readonly outputs: readonly { readonly name: string; readonly value: string }[]
}

let configurations = 0
const configure = (command: string, more: Readonly<Record<string, unknown>> = {}) =>
  createConfiguration(stage.ask, {
    repositoryId,
    name: `shop ${++configurations}`,
    steps: [{ name: 'build', command }],
    ...more,
  })

const buildStep = (buildConfigurationId: string, more: Readonly<Record<string, unknown>> = {}) => ({
  name: 'build',
  action: { build: { buildConfigurationId, ...more } },
})

async function start(definition: Readonly<Record<string, unknown>>, inputs: Readonly<Record<string, unknown>> = {}) {
  const workflowId = await makeWorkflow(stage.ask, { name: 'nightly', ...definition })
  const input = { workflowId, worktreeId: machine.worktree('main'), inputs }
  return (await mutate<{ run: RunView }>(stage.ask, 'startWorkflow', input, `run { ${runFields} }`)).run.id
}

async function stepOf(runId: string, name = 'build'): Promise<StepView> {
  const fields =
    'id name status attempt childRunId buildId build { status } problem { code message } outputs { name value }'
  const { run } = await stage.ask<{ run: { steps: readonly { readonly id: string; readonly name: string }[] } }>(
    'query ($id: ID!) { run(id: $id) { ... on WorkflowRun { steps { id name } } } }',
    { id: runId },
  )
  const id = run.steps.find((one) => one.name === name)?.id
  const { workflowStep } = await stage.ask<{ workflowStep: StepView }>(
    `query ($id: ID!) { workflowStep(id: $id) { ${fields} } }`,
    { id },
  )
  return workflowStep
}

const buildIdOf = (runId: string): Promise<string> =>
  until('the build of the step', async () => {
    const { run } = await stage.ask<{ run: { steps: readonly { readonly buildId: string | null }[] } }>(
      'query ($id: ID!) { run(id: $id) { ... on WorkflowRun { steps { buildId } } } }',
      { id: runId },
    )
    return run.steps.find(({ buildId }) => buildId !== null)?.buildId ?? undefined
  })

const toValues = (step: StepView) => Object.fromEntries(step.outputs.map(({ name, value }) => [name, value]))

async function countBuilds(buildConfigurationId: string): Promise<number> {
  const { builds } = await stage.ask<{ builds: { totalCount: number } }>(
    'query ($id: ID!) { builds(first: 1, buildConfigurationId: $id) { totalCount } }',
    { id: buildConfigurationId },
  )
  return builds.totalCount
}

describe('a step that builds', () => {
  test('builds the commit of an input, and later steps get the values of its build', async () => {
    const head = await git(machine.repository, 'rev-parse', 'HEAD')
    const configurationId = await configure('echo made > out.txt', { artifacts: ['out.txt'] })
    const env = [{ name: 'BUILT', value: '{{steps.build.build_id}} {{steps.build.commit}} {{steps.build.status}}' }]
    const runId = await start(
      {
        inputs: [{ name: 'commit', type: 'TEXT', default: '' }],
        steps: [
          buildStep(configurationId, { commit: '{{inputs.commit}}' }),
          { name: 'say', action: { command: { script: 'echo "built $BUILT"', env } } },
        ],
      },
      { commit: head },
    )
    await untilRun(stage.ask, runId, ['SUCCEEDED'])
    const step = await stepOf(runId)
    assert.equal(step.childRunId, null)
    assert.deepEqual(step.build, { status: 'SUCCEEDED' })
    const { build } = await stage.ask<{ build: Readonly<Record<string, unknown>> }>(
      `query ($id: ID!) { build(id: $id) { displayNumber trigger commit requestedCommit workflowStepId
        workflowStep { runId } requestedBy { ... on WorkflowRun { id } } serverUrls { url } artifacts { nodes { path } } } }`,
      { id: step.buildId },
    )
    const { serverUrls, displayNumber, ...rest } = build
    assert.deepEqual(rest, {
      trigger: 'WORKFLOW',
      commit: head,
      requestedCommit: head,
      workflowStepId: step.id,
      workflowStep: { runId },
      requestedBy: { id: runId },
      artifacts: { nodes: [{ path: 'out.txt' }] },
    })
    assert.deepEqual(toValues(step), {
      build_id: step.buildId,
      display_number: String(displayNumber),
      commit: head,
      status: 'SUCCEEDED',
      url: `${(serverUrls as { readonly url: string }).url}/builds/${step.buildId}`,
    })
    const { runLog } = await stage.ask<{ runLog: { text: string } }>(
      'query ($runId: ID!) { runLog(runId: $runId, step: "say") { text } }',
      { runId },
    )
    assert.match(runLog.text, new RegExp(`built ${step.buildId} ${head} SUCCEEDED`))
    assert.equal(await countBuilds(configurationId), 1)
  })

  test('fails with the problem of its build, and a step that handles the failure gets the values of the build', async () => {
    const configurationId = await configure('exit 4')
    const runId = await start({
      steps: [
        buildStep(configurationId),
        {
          name: 'report',
          condition: 'FAILED',
          action: {
            command: { script: 'echo "$S"', env: [{ name: 'S', value: '{{steps.build.status}} {{steps.build.url}}' }] },
          },
        },
      ],
    })
    const run = await untilRun(stage.ask, runId, ['FAILED'])
    assert.match(run.problem?.message ?? '', /build/)
    const step = await stepOf(runId)
    assert.equal(step.problem?.code, 'STEP_FAILED')
    assert.deepEqual((await stepOf(runId, 'report')).status, 'SUCCEEDED')
    assert.equal(toValues(step).status, 'FAILED')
  })

  test('starts a new build for each attempt, and has the last one', async () => {
    const configurationId = await configure('false')
    const runId = await start({
      steps: [{ ...buildStep(configurationId), retry: { maxAttempts: 2, delaySeconds: 1 } }],
    })
    await untilRun(stage.ask, runId, ['FAILED'])
    const step = await stepOf(runId)
    assert.equal(step.attempt, 2)
    assert.equal(await countBuilds(configurationId), 2)
    assert.equal((await lookAtBuild(stage.ask, step.buildId ?? '')).status, 'FAILED')
  })

  test('is canceled with its run, and so is its build', async () => {
    const waiting = gate(stage, 'workflow-build')
    const configurationId = await configure(waiting.command)
    const runId = await start({ steps: [buildStep(configurationId), commandStep('never', 'true')] })
    await waiting.untilBegun()
    const buildId = await buildIdOf(runId)
    await mutate(stage.ask, 'cancelRun', { runId }, 'run { status }')
    await untilBuild(stage.ask, buildId, ['CANCELED'])
    await untilRun(stage.ask, runId, ['CANCELED'])
    assert.equal((await stepOf(runId)).status, 'CANCELED')
  })

  test('ends after its time limit, and so does its build', async () => {
    const waiting = gate(stage, 'workflow-limit')
    const configurationId = await configure(waiting.command)
    const runId = await start({ steps: [{ ...buildStep(configurationId), timeoutSeconds: 2 }] })
    await untilRun(stage.ask, runId, ['FAILED', 'TIMED_OUT'], 40_000)
    const step = await stepOf(runId)
    assert.deepEqual([step.status, step.problem?.code], ['TIMED_OUT', 'TIMED_OUT'])
    assert.equal((await lookAtBuild(stage.ask, step.buildId ?? '')).status, 'CANCELED')
  })

  test('continues when its run is asked to pause, and the run is PAUSED when the build has ended', async () => {
    const waiting = gate(stage, 'workflow-pause')
    const configurationId = await configure(waiting.command)
    const runId = await start({ steps: [buildStep(configurationId), commandStep('after', 'true')] })
    await waiting.untilBegun()
    await mutate(stage.ask, 'pauseRun', { runId }, 'run { status }')
    await waiting.open()
    await untilRun(stage.ask, runId, ['PAUSED'])
    assert.equal((await stepOf(runId)).status, 'SUCCEEDED')
    await mutate(stage.ask, 'resumeRun', { runId }, 'run { status }')
    await untilRun(stage.ask, runId, ['SUCCEEDED'])
  })
})

describe('a definition with a build', () => {
  const save = (action: Readonly<Record<string, unknown>>) =>
    refusal(makeWorkflow(stage.ask, { name: 'w', steps: [{ name: 'build', action: { build: action } }] }))

  test('is refused if the configuration is unknown, archived or has no coverage, and the field is named', async () => {
    const unknown = await save({ buildConfigurationId: 'bcf_00000000000000000000000009' })
    assert.equal(unknown.code, 'NOT_FOUND')
    assert.match(
      unknown.message,
      /^steps\.0\.action\.build\.buildConfigurationId: there is no build configuration bcf_/,
    )
    const configurationId = await configure('true')
    const noReports = await save({ buildConfigurationId: configurationId, kind: 'COVERAGE' })
    assert.match(noReports.message, /^steps\.0\.action\.build\.kind: .*no `coverageReports`/)
    const workflow = { name: 'w', steps: [buildStep(configurationId)] }
    const workflowId = await makeWorkflow(stage.ask, workflow)
    await mutate(
      stage.ask,
      'archiveBuildConfiguration',
      { buildConfigurationId: configurationId },
      'buildConfiguration { id }',
    )
    const archived = await save({ buildConfigurationId: configurationId })
    assert.equal(archived.code, 'FAILED_PRECONDITION')
    assert.match(archived.message, /^steps\.0\.action\.build\.buildConfigurationId: .*ARCHIVED/)
    const started = await refusal(
      mutate(stage.ask, 'startWorkflow', { workflowId, worktreeId: machine.worktree('main') }, 'run { id }'),
    )
    assert.match(started.message, /^steps\.0\.action\.build\.buildConfigurationId: .*ARCHIVED/)
  })

  test('is refused with a worktree of another repository, when it is saved and when it is started', async () => {
    const other = await startMachine(stage, { name: 'other', hasTestClis: false })
    const configurationId = await configure('true')
    const saved = await save({ buildConfigurationId: configurationId, worktreeId: other.worktree('main') })
    assert.equal(saved.code, 'FAILED_PRECONDITION')
    assert.match(saved.message, /^steps\.0\.action\.build\.worktreeId: .* is not of it/)
    const workflowId = await makeWorkflow(stage.ask, { name: 'w', steps: [buildStep(configurationId)] })
    const started = await refusal(
      mutate(stage.ask, 'startWorkflow', { workflowId, worktreeId: other.worktree('main') }, 'run { id }'),
    )
    assert.match(started.message, /^steps\.0\.action\.build\.buildConfigurationId: .* is not of it/)
  })
})
