/** How an attempt of a step has ended, and whether another one follows. */
import type { JobOutcome } from '../../agents/jobActions.ts'
import type { Situation } from '../../framework/act.ts'
import type { ForcedTransition } from '../../framework/define.ts'
import type { IncidentEvent } from '../../framework/incident.ts'
import type { Refused } from '../../framework/refused.ts'
import { isOver } from '../../runs/runActions.ts'
import type { StepContext, StepEvent } from './stepContext.ts'
import { jobIdOf } from './stepKeys.ts'

export type AnyStepEvent = StepEvent | IncidentEvent | Refused | ForcedTransition

type Given = Situation<StepContext, AnyStepEvent>

/**
 * How the job, the run or the build of the present attempt has ended. A run that the overlap policy of its workflow has skipped did nothing,
 * so the step has failed: the steps that need it cannot count on it.
 */
export function endOf({ context, event }: Given): JobOutcome | undefined {
  if (event.type === 'jobEnded') {
    return event.jobId === jobIdOf(context.id, context.attempt) ? event.outcome : undefined
  }
  if (event.type !== 'childChanged' || !isOver(event.status) || !isOwnRun(context, event.runId)) return undefined
  return event.status === 'SKIPPED' ? 'FAILED' : (event.status as JobOutcome)
}

/** A run may report before its request is answered. Reports of runs of earlier attempts may come late. */
export const isOwnRun = ({ child }: StepContext, runId: string): boolean =>
  child.runId === null ? !child.former.includes(runId) : child.runId === runId

export const endsAs =
  (status: JobOutcome) =>
  (given: Given): boolean =>
    endOf(given) === status

export const hasAttempt = ({ attempt, init }: StepContext): boolean => attempt < init.retry.maxAttempts

export const endedByDeadlock = (given: Given): boolean =>
  endOf(given) !== undefined && given.context.ending === 'DEADLOCK'

export const endedByTimeout = (given: Given): boolean =>
  endOf(given) !== undefined && given.context.ending === 'TIMEOUT'

export const mayRetry = (given: Given): boolean => {
  const { context, event } = given
  // Another attempt would have the same input.
  if (event.type === 'requestRefused') return event.code !== 'BAD_USER_INPUT' && hasAttempt(context)
  const end = endOf(given)
  return (end === 'FAILED' || end === 'TIMED_OUT') && hasAttempt(context)
}
