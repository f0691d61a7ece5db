import type { TypedRow } from '../../../machines/rows.ts'
import type { RowQuery } from '../../../storage/ports/views.ts'
import { everyRow } from '../core/everyRow.ts'
import { requireRow } from '../core/rows.ts'
import type { TypedViews } from '../typedViews.ts'

export interface TouchedObjects {
  /** The runs. The calling run, or a run that it started, must have started each. */
  readonly runIds?: readonly string[]
  /** The logical repository. It must be that of the calling run's codebase. */
  readonly repositoryId?: string
  /** `principalName` of those who requested the builds. Each must be the calling run, or a run that it started. */
  readonly requesters?: readonly string[]
}

interface Context {
  readonly views: TypedViews
}

/** The repository of an object. Nothing, if it is an object of the installation. */
export const touchRepository = (repositoryId: string | null | undefined): TouchedObjects =>
  typeof repositoryId === 'string' ? { repositoryId } : {}

/** The run of the input. */
export const touchRun = ({ runId }: { readonly runId: string }): TouchedObjects => ({ runIds: [runId] })

/** All turns of the plan or session to which the run belongs. So a run cannot change a conversation in which another caller started a turn. */
export async function touchConversation(
  { runId }: { readonly runId: string },
  { views }: Context,
): Promise<TouchedObjects> {
  const { ownerId } = (await requireRow(views, 'run', runId)).init
  return { runIds: [...new Set([runId, ...(await findRuns(views, { where: { scopeId: ownerId } })).map(idOf)])] }
}

const idOf = ({ id }: TypedRow<'run'>): string => id

type RunFilter = Pick<RowQuery, 'where' | 'statuses' | 'terminal'>

/** Reads all pages: a missing run would pass the check. */
export async function findRuns(views: TypedViews, which: RunFilter): Promise<readonly TypedRow<'run'>[]> {
  const found: TypedRow<'run'>[] = []
  for (let last: TypedRow<'run'> | undefined; ; ) {
    const page = await views.list({ kind: 'run', ...which, limit: 1_000, ...(last && { after: { id: last.id } }) })
    found.push(...page)
    last = page.at(-1)
    if (page.length < 1_000) return found
  }
}

/** Those who requested the builds and deployments that have not ended, of a machine or of a worktree. */
export async function findRequesters(views: TypedViews, where: RunFilter['where']): Promise<readonly string[]> {
  const living = { ...(where ? { where } : {}), terminal: false }
  const [builds, deployments] = await Promise.all([
    everyRow(views, { kind: 'build', ...living }),
    everyRow(views, { kind: 'deployment', ...living }),
  ])
  return [...new Set([...builds, ...deployments].map(({ init }) => init.requestedBy))]
}

export async function touchRuns(views: TypedViews, which: RunFilter): Promise<TouchedObjects> {
  return { runIds: (await findRuns(views, which)).map(idOf) }
}

/** Some of the runs on a machine, and all of its builds. */
export async function touchMachine(
  views: TypedViews,
  agentId: string,
  which: Omit<RunFilter, 'where'>,
): Promise<TouchedObjects> {
  const where = { agentId }
  const [runs, requesters] = await Promise.all([touchRuns(views, { ...which, where }), findRequesters(views, where)])
  return { ...runs, requesters }
}
