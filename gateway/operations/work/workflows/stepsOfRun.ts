import type { Json } from '../../../../spec/core/actor.ts'
import type { WorkflowDefinition } from '../../../../spec/work/workflows/definition.ts'
import type { StepDefinition } from '../../../../spec/work/workflows/steps.ts'
import { readDefinition } from '../../../../spec/work/workflows/storedDefinition.ts'
import type { TypedViews } from '../../typedViews.ts'

/** The steps of the definition that a run was started with. Empty if the run is executed by one job. */
export async function stepsOfRun(runId: string, views: Pick<TypedViews, 'get'>): Promise<readonly StepDefinition[]> {
  return (await definitionOfRun(runId, views))?.steps ?? []
}

/** The definition that a run was started with. Undefined if the run is executed by one job. */
export async function definitionOfRun(
  runId: string,
  views: Pick<TypedViews, 'get'>,
): Promise<WorkflowDefinition | undefined> {
  const run = await views.get('run', runId)
  return run?.init.jobKind === 'STEPS' ? definitionIn(run.init.spec) : undefined
}

function definitionIn(spec: Json): WorkflowDefinition {
  return readDefinition((spec as { readonly definition: Json }).definition)
}
