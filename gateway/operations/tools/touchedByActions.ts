import { isRowOfKind } from '../../../machines/rows.ts'
import type { ActorRow } from '../../../spec/core/actor.ts'
import { kindOfId } from '../../../spec/core/ids.ts'
import type { TypedViews } from '../typedViews.ts'
import { findRuns, type TouchedObjects } from './touched.ts'

export async function touchedByActions(
  ids: readonly string[],
  { views }: { readonly views: TypedViews },
): Promise<TouchedObjects> {
  const rows = await views.findMany(ids)
  const touched = await Promise.all([...rows.values()].map((row) => findTouchedRuns(row, views)))
  return { runIds: [...new Set(touched.flat())] }
}

async function findTouchedRuns(row: ActorRow, views: TypedViews): Promise<readonly string[]> {
  const where = makeRunFilter(row)
  if (where === undefined) return await findOwnRun(row, views)
  return (await findRuns(views, { where, terminal: false })).map(({ id }) => id)
}

/** The condition that finds the runs of an actor. */
function makeRunFilter({ kind, id, columns }: ActorRow) {
  switch (kind) {
    case 'agent':
      return { agentId: id }
    case 'codebase':
      return columns.agentId === undefined ? undefined : { agentId: columns.agentId }
    case 'worktree':
      return { worktreeId: id }
    case 'worktreeQueue':
      return columns.worktreeId === undefined ? undefined : { worktreeId: columns.worktreeId }
    case 'plan':
    case 'session':
    case 'workflow':
      return { scopeId: id }
    default:
      return undefined
  }
}

/** The run itself, or the run of a job, of a step, or of an execution. */
async function findOwnRun(row: ActorRow, views: TypedViews): Promise<readonly string[]> {
  if (row.kind === 'run') return [row.id]
  if (isRowOfKind('workflowStep', row)) return [row.init.place.runId]
  if (isRowOfKind('workflowExecution', row)) return [row.init.runId]
  if (!isRowOfKind('job', row)) return []
  const { id } = row.init.owner
  if (kindOfId(id) === 'run') return [id]
  const step = kindOfId(id) === 'workflowStep' ? await views.get('workflowStep', id) : undefined
  return step === undefined ? [] : [step.init.place.runId]
}
