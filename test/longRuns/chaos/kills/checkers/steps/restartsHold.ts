/**
 * A step that has SUCCEEDED before a restart from the failed step is not executed again, unless a step that it needs is. Every other step is
 * executed.
 */
import type { Seen, Violation } from '../../seen.ts'
import { violation } from '../violation.ts'
import { attemptOf, type SeenWorkflowRun, type StepOfRun } from './readWorkflowRuns.ts'

export function restartsHold(runs: readonly SeenWorkflowRun[], seen: Seen): readonly Violation[] {
  const byRun = new Map(runs.map((one) => [one.run.id, one]))
  const restarted = new Set(
    seen.asked.flatMap(({ operation, input, answer }) =>
      operation === 'retryRun' && input.fromFailedStep === true && answer.type === 'accepted' ? [answer.object.id] : [],
    ),
  )
  return runs.flatMap((one) => {
    const former = byRun.get(String(one.run.init.retryOf))
    if (former === undefined) return []
    const isRestart = restarted.has(one.run.id)
    return one.steps.flatMap((step, index) => {
      const before = former.steps[index]
      return before === undefined ? [] : stepHolds(one, { step, before, isRestart }, seen)
    })
  })
}

interface RestartedStep {
  readonly step: StepOfRun
  /** The same step of the former run. */
  readonly before: StepOfRun
  readonly isRestart: boolean
}

function stepHolds(
  { run, reuse }: SeenWorkflowRun,
  { step, before, isRestart }: RestartedStep,
  seen: Seen,
): Violation[] {
  const reused = reuse[step.definition.name]
  if (reused !== undefined && !step.isKept) return []
  const { status } = before.actor ?? {}
  if (reused === undefined) {
    // A run that was ended at once may have steps that end after the restart.
    const endedAt = seen.journal.get(before.id)?.at(-1)?.at ?? 0
    if (!isRestart || status !== 'SUCCEEDED' || endedAt >= Number(run.init.createdAt)) return []
    return violation(`${run.id} executes ${step.id} again, which had SUCCEEDED as ${before.id}`, step.id, before.id)
  }
  const isSame = reused.stepId === before.id && status === 'SUCCEEDED'
  return [
    ...(isSame ? [] : violation(`${step.id} has the outputs of ${before.id}, which is ${status}`, step.id, before.id)),
    ...(attemptOf(step) === 0 ? [] : violation(`${step.id} was executed although it was kept`, step.id, before.id)),
  ]
}
