import type { TypedRow } from '../../../../machines/rows.ts'
import { stepIdOf, stepMembers } from '../../../../machines/work/steps/stepKeys.ts'
import type { Json } from '../../../../spec/core/actor.ts'
import { Failure } from '../../../../spec/core/failure.ts'
import type { TypedViews } from '../../typedViews.ts'
import { stepsOfRun } from './stepsOfRun.ts'

/**
 * The steps that a new run does not execute again: those that have succeeded, with their outputs.
 * @throws Failure BAD_USER_INPUT, FAILED_PRECONDITION
 */
export async function stepsToReuse(former: TypedRow<'run'>, views: TypedViews): Promise<{ readonly reuse: Json }> {
  const steps = await stepsOfRun(former.id, views)
  if (steps.length === 0) {
    throw new Failure('BAD_USER_INPUT', 'fromFailedStep: the run has no steps. Leave it out.', {
      details: { field: 'fromFailedStep' },
    })
  }
  if (former.columns.status === 'SUCCEEDED') {
    throw new Failure(
      'FAILED_PRECONDITION',
      'The run has SUCCEEDED, so no step of it has failed. Retry it without `fromFailedStep`.',
      { details: { runId: former.id } },
    )
  }
  const ids = steps.map((_, index) => stepIdOf(former.id, index))
  const rows = await views.getMany('workflowStep', ids)
  const reuse: Record<string, Json> = {}
  for (const [index, { name }] of steps.entries()) {
    const row = rows.get(ids[index] ?? '')
    if (row?.columns.status !== 'SUCCEEDED') continue
    const [outputs] = await views.members(row.id, stepMembers.outputs, 1)
    reuse[name] = { stepId: row.id, outputs: (outputs?.value ?? {}) as Json }
  }
  return { reuse }
}
