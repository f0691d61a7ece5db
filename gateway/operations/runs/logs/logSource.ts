import { jobLogStream } from '../../../../machines/agents/jobKeys.ts'
import { jobIdOf, stepIdOf } from '../../../../machines/work/steps/stepKeys.ts'
import { Failure } from '../../../../spec/core/failure.ts'
import { siblingId } from '../../../../spec/core/ids.ts'
import type { StepDefinition } from '../../../../spec/work/workflows/steps.ts'
import type { TypedViews } from '../../typedViews.ts'
import { stepsOfRun } from '../../work/workflows/stepsOfRun.ts'

/** The source of a log: the job of a run, or the jobs of a step of a workflow's run. */
export interface LogSource {
  readonly latestAttempt: number
  jobIdOf(attempt: number): string
  streamOf(attempt: number): string
  /** Whether the last attempt has ended. */
  readonly hasEnded: boolean
}

/** @returns undefined if nothing has been started yet. @throws Failure BAD_USER_INPUT */
export async function findLogSource(
  runId: string,
  step: string | undefined,
  views: TypedViews,
): Promise<LogSource | undefined> {
  const steps = await stepsOfRun(runId, views)
  if (steps.length > 0) return await logOfStep(runId, step, steps, views)
  if (step !== undefined)
    throw new Failure('BAD_USER_INPUT', 'step: the run has no steps. Leave it out.', { details: { field: 'step' } })
  const job = await views.get('job', siblingId('job', runId))
  return (
    job && {
      latestAttempt: job.context.attempt,
      jobIdOf: () => job.id,
      streamOf: (attempt) => jobLogStream(job.id, attempt),
      hasEnded: job.columns.terminal,
    }
  )
}

/** Each attempt of a step has a job of its own, which is offered once. */
async function logOfStep(
  runId: string,
  name: string | undefined,
  steps: readonly StepDefinition[],
  views: TypedViews,
): Promise<LogSource | undefined> {
  const index = steps.findIndex((one) => one.name === name)
  const definition = steps[index]
  if (definition === undefined) {
    const commands = steps.filter(({ kind }) => kind === 'COMMAND').map((one) => one.name)
    const message = name === undefined ? 'give the name of a step' : `the run has no step "${name}"`
    const known = commands.length === 0 ? 'No step of it is a COMMAND' : `Its COMMAND steps: ${commands.join(', ')}`
    throw new Failure('BAD_USER_INPUT', `step: ${message}. ${known}.`, { details: { field: 'step' } })
  }
  const stepId = stepIdOf(runId, index)
  const step = await views.get('workflowStep', stepId)
  if (definition.kind !== 'COMMAND') {
    const childId = step?.context.child.runId ?? null
    const child = definition.kind === 'BUILD' ? 'build with `buildLog`' : 'run'
    const where = childId === null ? 'It has no log of its own' : `Read the log of its ${child}, ${childId}`
    throw new Failure(
      'BAD_USER_INPUT',
      `step: "${definition.name}" is a step of the kind ${definition.kind}. ${where}.`,
      {
        details: { field: 'step', childRunId: childId },
      },
    )
  }
  if (step === undefined || step.context.attempt === 0) return undefined
  return {
    latestAttempt: step.context.attempt,
    jobIdOf: (attempt) => jobIdOf(stepId, attempt),
    streamOf: (attempt) => jobLogStream(jobIdOf(stepId, attempt), 1),
    hasEnded: step.columns.terminal,
  }
}
