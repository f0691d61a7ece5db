import type * as v from 'valibot'
import type { runFilterFields } from '../../../spec/runs/runFilter.ts'
import type { ListMark } from '../../../spec/search/searchable.ts'
import type { RowQuery } from '../../../storage/ports/views.ts'
import { everyRow } from '../core/everyRow.ts'
import type { TypedViews } from '../typedViews.ts'

export type RunFilter = v.InferOutput<v.ObjectSchema<typeof runFilterFields, undefined>>

export type RunQuery = Omit<RowQuery<'run'>, 'limit' | 'after' | 'descending' | 'order'>

/** The kind of the owner of each kind of run. */
const ownerKinds = { PLAN: 'plan', SESSION: 'session', WORKFLOW: 'workflow' } as const

/** The conditions of a filter of runs. */
export async function toRunQuery(filter: RunFilter, views: TypedViews): Promise<RunQuery> {
  const { worktreeId, agentId, parentRunId, statuses, from, to, text } = filter
  const scopeId = filter.workflowId ?? filter.sessionId ?? filter.planId
  const kinds = kindsOf(filter)
  const marks = await marksOf(filter, views)
  return {
    kind: 'run',
    where: {
      ...(worktreeId ? { worktreeId } : {}),
      ...(agentId ? { agentId } : {}),
      ...(scopeId ? { scopeId } : {}),
    },
    ...(statuses ? { statuses } : {}),
    ...(parentRunId ? { parentRunId } : {}),
    ...(kinds === undefined ? {} : { scopeKinds: kinds.map((kind) => ownerKinds[kind]) }),
    ...(typeof from === 'number' ? { madeFrom: from } : {}),
    ...(typeof to === 'number' ? { madeTo: to } : {}),
    ...(text ? { text } : {}),
    ...(marks.length > 0 ? { marks } : {}),
  }
}

function kindsOf({ kind, kinds }: RunFilter) {
  if (kind && kinds) return kinds.filter((one) => one === kind)
  return kind ? [kind] : (kinds ?? undefined)
}

/** A run keeps its codebase. The repository of a codebase may change, so its codebases are read here. */
async function marksOf({ requestedBy, cli, repositoryId }: RunFilter, views: TypedViews) {
  const marks: (readonly ListMark[])[] = []
  if (requestedBy) marks.push([['by', requestedBy]])
  if (cli) marks.push([['cli', cli]])
  if (repositoryId) {
    const codebases = await everyRow(views, { kind: 'codebase', where: { scopeId: repositoryId } })
    marks.push(codebases.map(({ id }): ListMark => ['codebase', id]))
  }
  return marks
}
