import type { OnPush } from '../../../spec/builds/onPush.ts'
import { Failure } from '../../../spec/core/failure.ts'
import { requireRow } from '../core/rows.ts'
import type { TypedViews } from '../typedViews.ts'

/** The worktree must be one of the repository. @throws Failure NOT_FOUND, FAILED_PRECONDITION */
export async function requireOnPush(
  onPush: OnPush | null | undefined,
  repositoryId: string,
  views: TypedViews,
): Promise<void> {
  if (!onPush) return
  const { worktreeId } = onPush
  const field = 'onPush.worktreeId'
  const worktree = await views.get('worktree', worktreeId)
  if (worktree === undefined)
    throw new Failure('NOT_FOUND', `${field}: there is no worktree ${worktreeId}. \`worktrees\` lists them.`, {
      details: { field },
    })
  const codebase = await requireRow(views, 'codebase', worktree.init.codebaseId)
  if (codebase.context.repositoryId === repositoryId) return
  throw new Failure(
    'FAILED_PRECONDITION',
    `${field}: the worktree is not of the repository ${repositoryId}. Use a worktree of that repository.`,
    { details: { field, worktreeId, repositoryId } },
  )
}
