import type { BuildSpec } from '../jobs/spec.ts'
import { requireCodebase, requireWorktree } from '../roots.ts'
import { checkoutPath } from './checkout.ts'

/** The folder in which the steps of a build run: its worktree, or the checkout of its commit. @throws Refusal */
export async function sourceFolder(
  { source, worktreePath, codebasePath, buildId }: BuildSpec,
  roots: readonly string[],
): Promise<string> {
  if (source === 'WORKTREE') return (await requireWorktree(roots, worktreePath)).path
  return checkoutPath({ codebasePath: await requireCodebase(roots, codebasePath), buildId })
}
