/** Checks the steps of an execution against its definition, the jobs and the runs. */
import assert from 'node:assert/strict'
import type { RunContext } from '../../../../machines/runs/runActions.ts'
import { type ExecutionContext, specOf } from '../../../../machines/work/steps/executionContext.ts'
import type { StepContext } from '../../../../machines/work/steps/stepContext.ts'
import { jobIdOf, stepIdOf } from '../../../../machines/work/steps/stepKeys.ts'
import type { StepDefinition } from '../../../../spec/work/workflows/steps.ts'
import type { WorkflowWorld } from './workflowWorld.ts'

const failures: ReadonlySet<string> = new Set(['FAILED', 'CANCELED', 'TIMED_OUT', 'LOST'])
const good: ReadonlySet<string> = new Set(['SUCCEEDED', 'SKIPPED'])

interface SeenStep {
  readonly id: string
  readonly definition: StepDefinition
  /** `absent` if it has not begun. */
  readonly state: string
}

export function stepsOf(world: WorkflowWorld, executionId: string): readonly SeenStep[] {
  const context = world.context<ExecutionContext>(executionId)
  return specOf(context).definition.steps.map((definition, index) => {
    const id = stepIdOf(context.init.runId, index)
    return { id, definition, state: world.state(id) }
  })
}

const hasFailed = (world: WorkflowWorld, { id, state }: SeenStep): boolean =>
  failures.has(state) || (state === 'SKIPPED' && world.context<StepContext>(id).problem?.code === 'NEEDED_STEP_FAILED')

/** The outcome of the execution agrees with its run and with its steps. */
export function checkExecution(world: WorkflowWorld, executionId: string): void {
  const outcome = world.state(executionId)
  const { init, ending } = world.context<ExecutionContext>(executionId)
  const steps = stepsOf(world, executionId)
  const run = world.state(init.runId)
  const about = `${executionId} is ${outcome}, its run ${run}, its steps ${steps.map(({ state }) => state).join()}`
  // A person, an overlap policy or the deadline of a cancel can end the run before its steps have ended.
  const endedBefore = run === 'CANCELED' || run === 'LOST'
  assert.ok(run === outcome || endedBefore, about)
  if (outcome === 'SUCCEEDED')
    assert.ok(
      steps.every(({ state }) => good.has(state)),
      about,
    )
  if (outcome === 'FAILED')
    assert.ok(
      steps.some(({ state }) => failures.has(state)),
      about,
    )
  if (outcome === 'FAILED' || outcome === 'SUCCEEDED') assert.ok(!steps.some(({ state }) => state === 'absent'), about)
  // A step that is LOST may still change the worktree.
  if (outcome !== 'LOST') assert.ok(!steps.some(({ state }) => state === 'LOST'), about)
  if (outcome === 'CANCELED') assert.equal(ending, 'CANCEL', about)
  if (outcome === 'TIMED_OUT') assert.equal(ending, 'TIMEOUT', about)
  for (const step of steps) if (step.state !== 'absent') checkStep(world, step, steps)
}

function checkStep(world: WorkflowWorld, step: SeenStep, steps: readonly SeenStep[]): void {
  const { id, definition, state } = step
  const { init, attempt, child } = world.context<StepContext>(id)
  const needed = steps.filter(({ definition: { name } }) => definition.needs.includes(name))
  assert.ok(
    needed.every((one) => world.actors.isOver(one.id)),
    `${id} began before a step that it needs had ended`,
  )
  assert.ok(attempt <= definition.retry.maxAttempts, `${id} has ${attempt} attempts`)
  const isFailed = needed.some((one) => hasFailed(world, one))
  if (init.begin.type === 'start') {
    if (definition.condition === 'SUCCEEDED') assert.ok(!isFailed, `${id} began although a needed step has failed`)
    if (definition.condition === 'FAILED') assert.ok(isFailed, `${id} began although no needed step has failed`)
  } else assert.equal(attempt, 0, `${id} was started although it was to be ${init.begin.type}`)
  if (init.kind === 'COMMAND') checkJobs(world, step, attempt)
  if (state !== 'SUCCEEDED' && state !== 'SKIPPED') return
  if (init.begin.type !== 'start' || child.runId === null) return
  assert.equal(world.state(child.runId), state, `${id} is ${state}, and its run or its build has the same state`)
}

/** Each attempt has one job, and only the last one can have succeeded. */
function checkJobs(world: WorkflowWorld, { id, state }: SeenStep, attempts: number): void {
  for (let attempt = 1; attempt <= attempts; attempt++) {
    const job = world.state(jobIdOf(id, attempt))
    if (attempt < attempts) assert.ok(job === 'FAILED' || job === 'TIMED_OUT', `attempt ${attempt} of ${id} is ${job}`)
    else if (state !== 'LOST' && job !== state)
      assert.ok(
        (state === 'CANCELED' || state === 'TIMED_OUT') && job !== 'SUCCEEDED',
        `${id} is ${state}, and its last job ${job}`,
      )
  }
}

/** The runs and builds that execute the steps of a history, and the step of each. */
export function checkChild(world: WorkflowWorld, runId: string): void {
  const { init } = world.context<Pick<RunContext, 'init'>>(runId)
  if (init.stepId === undefined) return
  const { child } = world.context<StepContext>(init.stepId)
  assert.ok(child.runId === runId || child.former.includes(runId), `${runId} is not a child of its step`)
}
