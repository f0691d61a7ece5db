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
 * A worktree that is still being prepared is locked in git's own books, and the reason of the lock says by which attempt. So it is
 * known whatever becomes of the agent: it is not reported as a worktree, nobody takes it for a finished one, and an attempt that
 * fails removes what it has made itself and nothing else.
 */
const reasonForm = /^signalbox (\S+)(?: ([0-9a-f]{40,64}))?$/

/** @param madeBranchAt the commit on which the attempt makes a branch, if it does */
export function reasonOf(mark: string, madeBranchAt: string | undefined): string {
  return ['signalbox', mark, ...(madeBranchAt === undefined ? [] : [madeBranchAt])].join(' ')
}

/** The attempt that prepares it now, or did not live to finish it. */
export function preparedBy({ locked }: ListedWorktree): string | undefined {
  return reasonForm.exec(locked ?? '')?.[1]
}

/** Milliseconds; a worktree may hold a hundred thousand files. */
const removalMs = 120_000

/**
 * Removes the worktree that an attempt has begun and not finished, and the branch that it made for it, unless there is something
 * new on that. Once more it does nothing.
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

/** Some package managers leave folders that can't be written to, and git gives up on these half-way. */
async function makeWritable(path: string): Promise<void> {
  const find = [path, '-type', 'd', '!', '-perm', '-u=w', '-exec', 'chmod', 'u+w', '{}', '+']
  await promisify(execFile)('find', find, { timeout: removalMs }).catch(() => {})
}
