import type { TypedRow } from '../../../machines/rows.ts'
import type { TypedViews } from '../typedViews.ts'

/** By codebase: the job that runs in one of its worktrees, or else the one that waits longest. */
export async function activeJobs(
  agentIds: readonly string[],
  views: TypedViews,
): Promise<ReadonlyMap<string, TypedRow<'job'>>> {
  const living = await views.living('job', agentIds)
  // The reading of an image ends at once, and changes nothing.
  const jobs = living.filter(({ init }) => init.kind !== 'DIFF_IMAGE')
  const worktrees = await views.getMany(
    'worktree',
    jobs.flatMap(({ columns }) => columns.worktreeId ?? []),
  )
  const byCodebase = Map.groupBy(jobs, ({ columns }) => worktrees.get(columns.worktreeId ?? '')?.columns.scopeId)
  const active = new Map<string, TypedRow<'job'>>()
  for (const [codebaseId, own] of byCodebase) {
    const job = own.find(({ columns }) => columns.status === 'RUNNING') ?? own[0]
    if (codebaseId === undefined || job === undefined) continue
    active.set(codebaseId, job)
  }
  return active
}
