import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { SpoolWriter } from '../connection/spool.ts'
import { messageOf } from '../failures.ts'
import { requireCodebase } from '../roots.ts'
import { git, gitLine } from '../system/git.ts'
import type { JobFolder } from './folder.ts'
import type { CreateWorktreeSpec } from './spec.ts'
import { type ListedWorktree, listWorktrees } from './worktreeList.ts'

/**
 * A worktree that is being prepared is locked in git's own records. The reason of the lock identifies the attempt. So these rules
 * hold even if the agent fails:
 * - The worktree is not reported, so it does not count as finished.
 * - A failed attempt removes only what it created itself.
 */
const reasonForm = /^signalbox (\S+)(?: ([0-9a-f]{40,64}))?$/

/** @param madeBranchAt the commit at which the attempt creates a branch, if it does */
export function reasonOf(mark: string, madeBranchAt: string | undefined): string {
  return ['signalbox', mark, ...(madeBranchAt === undefined ? [] : [madeBranchAt])].join(' ')
}

/** Returns the attempt that prepares the worktree, or that stopped before it was finished. */
export function preparedBy({ locked }: ListedWorktree): string | undefined {
  return reasonForm.exec(locked ?? '')?.[1]
}

/** Milliseconds. A worktree may contain a hundred thousand files. */
const removalMs = 120_000

/**
 * Removes the worktree that an attempt began and did not finish, and the branch that it created for it, unless the branch has
 * changed. A repeated call does nothing.
 */
export async function removeUnfinished(
  spec: CreateWorktreeSpec,
  folder: JobFolder,
  roots: readonly string[],
): Promise<void> {
  const codebase = await requireCodebase(roots, spec.codebasePath)
  const worktree = (await listWorktrees(codebase)).find((one) => preparedBy(one) === folder.mark)
  if (!worktree) return
  const [, , madeBranchAt] = reasonForm.exec(worktree.locked ?? '') ?? []
  await makeWritable(worktree.path)
  const remove = ['worktree', 'remove', '--force', '--force', '--', worktree.path]
  const problem = await git(codebase, remove, removalMs).then(() => undefined, messageOf)
  const ref = `refs/heads/${spec.branch}`
  const isAsMade =
    madeBranchAt !== undefined && (await gitLine(codebase, ['rev-parse', '--verify', '--quiet', ref])) === madeBranchAt
  if (isAsMade) await gitLine(codebase, ['branch', '--quiet', '-D', '--', spec.branch])
  const log = new SpoolWriter(folder.output)
  const end = problem === undefined ? 'has been removed' : `could not be removed: ${problem}`
  log.write('SYSTEM', Buffer.from(`The unfinished worktree ${worktree.path} ${end}.\n`))
  log.close()
}

/** Some package managers create folders that are not writable, and git stops in the middle of removing them. */
async function makeWritable(path: string): Promise<void> {
  const find = [path, '-type', 'd', '!', '-perm', '-u=w', '-exec', 'chmod', 'u+w', '{}', '+']
  await promisify(execFile)('find', find, { timeout: removalMs }).catch(() => {})
}
