import { requireRow } from '../../core/rows.ts'
import type { RequestContext } from '../../requestContext.ts'
import { type TouchedObjects, touchRuns } from '../../tools/touched.ts'

/** The runs that the overlap policy ends so that the new run can start. */
export async function endedByStart(
  { workflowId, worktreeId }: { readonly workflowId: string; readonly worktreeId: string },
  { views }: Pick<RequestContext, 'views'>,
): Promise<TouchedObjects> {
  const { rules } = (await requireRow(views, 'workflow', workflowId)).context
  if (rules.overlapPolicy !== 'CANCEL_OTHER' && rules.overlapPolicy !== 'TERMINATE_OTHER') return {}
  const where = { scopeId: workflowId, ...(rules.overlapScope === 'WORKTREE' ? { worktreeId } : {}) }
  return await touchRuns(views, { where, terminal: false })
}
