/** Each attempt of a step has exactly one job or one run, and only a failed attempt is followed by another. */
import { jobIdOf } from '../../../../../../machines/work/steps/stepKeys.ts'
import type { Seen, SeenActor, Violation } from '../../seen.ts'
import { violation } from '../violation.ts'
import { attemptOf, type SeenWorkflowRun, type StepOfRun } from './readWorkflowRuns.ts'

const repeatable: ReadonlySet<string> = new Set(['FAILED', 'TIMED_OUT'])
const ownEnds: ReadonlySet<string> = new Set(['SUCCEEDED', 'FAILED'])

export function attemptsHold(runs: readonly SeenWorkflowRun[], seen: Seen): readonly Violation[] {
  const jobs = Map.groupBy(ofSteps(seen, 'job'), ({ init }) => String(Object(init.owner).id))
  const children = Map.groupBy(ofSteps(seen, 'run'), ({ init }) => String(init.stepId))
  const known = new Set(runs.flatMap(({ steps }) => steps.map(({ id }) => id)))
  const strangers = [...jobs, ...children].flatMap(([stepId, made]) =>
    known.has(stepId) ? [] : violation(`${made.map(({ id }) => id).join()} belong to no step: ${stepId}`, stepId),
  )
  const steps = runs.flatMap((one) => one.steps.filter(({ actor }) => actor !== undefined))
  return [
    ...strangers,
    ...steps.flatMap((step) => [
      ...tooMany(step),
      ...(step.definition.kind === 'COMMAND' ? ownJobs(step, jobs.get(step.id) ?? []) : []),
      ...(step.definition.kind === 'WORKFLOW' ? ownRuns(step, children.get(step.id) ?? [], seen) : []),
    ]),
  ]
}

function ofSteps({ actors }: Seen, wanted: 'job' | 'run'): readonly SeenActor[] {
  return [...actors.values()].filter(
    ({ kind, init }) =>
      kind === wanted && (kind === 'run' ? init.stepId !== undefined : Object(init.owner).kind === 'workflowStep'),
  )
}

function tooMany(step: StepOfRun): Violation[] {
  const [attempt, most] = [attemptOf(step), step.definition.retry.maxAttempts]
  return attempt <= most ? [] : violation(`${step.id} had ${attempt} attempts instead of ${most} at most`, step.id)
}

function ownJobs(step: StepOfRun, jobs: readonly SeenActor[]): Violation[] {
  const attempt = attemptOf(step)
  const expected = Array.from({ length: attempt }, (_, before) => jobIdOf(step.id, before + 1))
  const byId = new Map(jobs.map((job) => [job.id, job]))
  const others = jobs.filter(({ id }) => !expected.includes(id))
  return [
    ...expected.flatMap((id) =>
      byId.has(id) ? [] : violation(`the attempt ${id} of ${step.id} is missing`, step.id, id),
    ),
    ...others.flatMap(({ id }) =>
      violation(`${id} is a job of ${step.id} that is not one of its attempts`, step.id, id),
    ),
    ...inSequence(
      step,
      expected.flatMap((id) => byId.get(id) ?? []),
    ),
  ]
}

/** An attempt whose request was refused has no run. */
function ownRuns(step: StepOfRun, runs: readonly SeenActor[], { journal }: Seen): Violation[] {
  const attempt = attemptOf(step)
  const refused = (journal.get(step.id) ?? []).filter(({ event }) => event === 'requestRefused').length
  const { runId = null, former = [] } = (step.actor?.context.child ?? {}) as {
    readonly runId?: string | null
    readonly former?: readonly string[]
  }
  const expected = runId === null ? former : [...former, runId]
  const byId = new Map(runs.map((run) => [run.id, run]))
  const isComplete = runs.length === expected.length && expected.every((id) => byId.has(id))
  const what = `${step.id} had ${attempt} attempts, of which ${refused} were refused, and the runs ${[...byId.keys()].join(', ') || 'none'}; it stores ${expected.join(', ') || 'none'}`
  return [
    // A lost step has stopped to wait for its run.
    ...(step.actor?.status === 'LOST' || (isComplete && runs.length + refused === attempt)
      ? []
      : violation(what, step.id, ...byId.keys())),
    ...(refused > 0
      ? []
      : inSequence(
          step,
          expected.flatMap((id) => byId.get(id) ?? []),
        )),
  ]
}

/** Each attempt but the last has failed. The last one decides how the step ends. */
function inSequence({ id, actor }: StepOfRun, attempts: readonly SeenActor[]): Violation[] {
  const last = attempts.at(-1)
  const repeated = attempts.slice(0, -1).find(({ status }) => !repeatable.has(status))
  if (repeated !== undefined)
    return violation(`${id} was repeated after ${repeated.id}, which is ${repeated.status}`, id, repeated.id)
  const status = actor?.status ?? ''
  // A cancel may end the step between two attempts. A command that was too late to be canceled has SUCCEEDED.
  if (last === undefined || !ownEnds.has(status) || last.status === status) return []
  if (status === 'FAILED' && repeatable.has(last.status)) return []
  return violation(`${id} is ${status} and its last attempt ${last.id} is ${last.status}`, id, last.id)
}
