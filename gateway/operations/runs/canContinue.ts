import type { TypedRow } from '../../../machines/rows.ts'
import { runMembers } from '../../../machines/runs/runKeys.ts'
import type { TypedViews } from '../typedViews.ts'

/** The problems of a run that its agent or its machine has ended in the middle of the conversation. */
const cutShort = new Set(['AGENT_RESTARTED', 'MACHINE_REBOOTED'])

/** Whether the conversation of the run was cut short, and the coding CLI may still have it. */
export async function canContinue({ id, columns, context }: TypedRow<'run'>, views: TypedViews): Promise<boolean> {
  if (columns.status !== 'FAILED' || !cutShort.has(context.problem?.code ?? '')) return false
  const [result] = await views.members(id, runMembers.result, 1)
  return typeof Object(result?.value).conversation === 'string'
}
