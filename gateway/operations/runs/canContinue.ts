import type * as v from 'valibot'
import { runMembers } from '../../../machines/runs/runKeys.ts'
import type { runSchema } from '../../../spec/runs/runs.ts'
import type { TypedViews } from '../typedViews.ts'

/** The problems of a run that its agent or its machine has ended in the middle of the conversation. */
const cutShort = new Set(['AGENT_RESTARTED', 'MACHINE_REBOOTED'])

/** Whether the conversation of the run was cut short, and the coding CLI may still have it. */
export async function canContinue(
  { id, status, problem }: Pick<v.InferInput<typeof runSchema>, 'id' | 'status' | 'problem'>,
  views: TypedViews,
): Promise<boolean> {
  if (status !== 'FAILED' || !cutShort.has(problem?.code ?? '')) return false
  const [result] = await views.members(id, runMembers.result, 1)
  return typeof Object(result?.value).conversation === 'string'
}
