import { isRowOfKind } from '../../../machines/rows.ts'
import type { ActorRow } from '../../../spec/core/actor.ts'
import { kindOfId } from '../../../spec/core/ids.ts'
import type { TypedViews } from '../typedViews.ts'
import { findRequesters, findRuns, type TouchedObjects } from './touched.ts'

export async function touchedByActions(
  ids: readonly string[],
  { views }: { readonly views: TypedViews },
): Promise<TouchedObjects> {
  const rows = await views.findMany(ids)
  const all = [...rows.values()]
  const touched = await Promise.all(all.map((row) => findTouchedRuns(row, views)))
  const requesters = (await Promise.all(all.map((row) => findTouchedBuilds(row, views)))).flat()
  return { runIds: [...new Set(touched.flat())], ...(requesters.length > 0 ? { requesters } : {}) }
}

async function findTouchedRuns(row: ActorRow, views: TypedViews): Promise<readonly string[]> {
  const where = makeRunFilter(row)
  if (where === undefined) return await findOwnRun(row, views)
  return (await findRuns(views, { where, terminal: false })).map(({ id }) => id)
}

/** Those who requested the builds of an actor: of a machine, a worktree, a configuration or a job, or the build itself. */
async function findTouchedBuilds(row: ActorRow, views: TypedViews): Promise<readonly string[]> {
  if (isRowOfKind('build', row)) return [row.init.requestedBy]
  if (isRowOfKind('buildConfiguration', row)) return await findRequesters(views, { scopeId: row.id })
  if (isRowOfKind('job', row)) {
    const build = kindOfId(row.init.owner.id) === 'build' ? await views.get('build', row.init.owner.id) : undefined
    return build === undefined ? [] : [build.init.requestedBy]
  }
  const where = makeRunFilter(row)
  return where === undefined || 'scopeId' in where ? [] : await findRequesters(views, where)
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
