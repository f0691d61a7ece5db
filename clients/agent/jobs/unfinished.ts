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
 * - The agent does not report a locked worktree to the control plane, so no run starts in it.
 * - A failed attempt removes only what it created itself.
 */
const lockReasonPattern = /^signalbox (\S+)(?: ([0-9a-f]{40,64}))?$/

/** @param createdBranchCommit the commit at which the attempt creates a branch, if it does */
export function reasonOf(mark: string, createdBranchCommit: string | undefined): string {
  return ['signalbox', mark, ...(createdBranchCommit === undefined ? [] : [createdBranchCommit])].join(' ')
}

/** Returns the mark of the attempt that locked the worktree. The attempt may have stopped since. */
export function preparedBy({ locked }: ListedWorktree): string | undefined {
  return lockReasonPattern.exec(locked ?? '')?.[1]
}

/** Milliseconds. A worktree may contain a hundred thousand files. */
const removalMs = 120_000

/**
 * Removes the unfinished worktree of an attempt. Also deletes the branch that the attempt created, unless the branch has new commits. A
 * repeated call does nothing.
 */
export async function removeUnfinished(
  spec: CreateWorktreeSpec,
  folder: JobFolder,
  roots: readonly string[],
): Promise<void> {
  const codebase = await requireCodebase(roots, spec.codebasePath)
  const worktree = (await listWorktrees(codebase)).find((one) => preparedBy(one) === folder.mark)
  if (!worktree) return
  const [, , createdBranchCommit] = lockReasonPattern.exec(worktree.locked ?? '') ?? []
  const problem = await removeLocked(codebase, worktree.path).then(() => undefined, messageOf)
  const ref = `refs/heads/${spec.branch}`
  const isBranchUnchanged =
    createdBranchCommit !== undefined &&
    (await gitLine(codebase, ['rev-parse', '--verify', '--quiet', ref])) === createdBranchCommit
  if (isBranchUnchanged) await gitLine(codebase, ['branch', '--quiet', '-D', '--', spec.branch])
  const log = new SpoolWriter(folder.output)
  const end = problem === undefined ? 'has been removed' : `could not be removed: ${problem}`
  log.write('SYSTEM', Buffer.from(`The unfinished worktree ${worktree.path} ${end}.\n`))
  log.close()
}

/** Removes a worktree that an attempt has locked. */
export async function removeLocked(codebase: string, path: string): Promise<void> {
  await makeWritable(path)
  await git(codebase, ['worktree', 'remove', '--force', '--force', '--', path], removalMs)
}

/** Some package managers create folders that are not writable, and git stops in the middle of removing them. */
async function makeWritable(path: string): Promise<void> {
  const find = [path, '-type', 'd', '!', '-perm', '-u=w', '-exec', 'chmod', 'u+w', '{}', '+']
  await promisify(execFile)('find', find, { timeout: removalMs }).catch(() => {})
}
