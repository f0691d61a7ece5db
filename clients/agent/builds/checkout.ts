/**
 * The checkout of a build: a git worktree with a detached HEAD, beside the worktrees of the codebase. Like a worktree that is being
 * prepared, it is locked in git's own records, and the reason of the lock identifies the attempt. So the agent does not report it, and each
 * attempt removes only its own.
 */
import { join } from 'node:path'
import { SpoolWriter } from '../connection/spool.ts'
import { messageOf } from '../failures.ts'
import type { JobFolder, RunPlan } from '../jobs/folder.ts'
import { Refusal } from '../jobs/refusal.ts'
import { preparedBy, reasonOf, removeLocked } from '../jobs/unfinished.ts'
import { listWorktrees } from '../jobs/worktreeList.ts'
import { requireLocks } from '../jobs/worktrees.ts'
import { requireCodebase, requirePlace } from '../roots.ts'
import { gitEnvironment, gitLine } from '../system/git.ts'

type Step = RunPlan['steps'][number]

/** A fetched commit is kept from git's garbage collection by this reference until the checkout is removed. */
const refOf = (mark: string): string => `refs/signalbox/builds/${mark}`

export interface Checkout {
  readonly codebase: string
  readonly path: string
  readonly steps: readonly Step[]
}

/** The folder of the checkout of a build. */
export function checkoutPath({
  codebasePath,
  buildId,
}: {
  readonly codebasePath: string
  readonly buildId: string
}): string {
  return join(`${codebasePath}.worktrees`, '.builds', buildId)
}

/**
 * @param commit a branch, tag or commit. If the machine does not have it, it is fetched
 * @throws Refusal
 */
export async function planCheckout(
  {
    buildId,
    codebasePath,
    commit,
  }: { readonly buildId: string; readonly codebasePath: string; readonly commit: string },
  mark: string,
  roots: readonly string[],
): Promise<Checkout> {
  const codebase = await requireCodebase(roots, codebasePath)
  const path = await requirePlace(roots, codebase, checkoutPath({ codebasePath: codebase, buildId }))
  await requireLocks(codebase, 'A build of a commit')
  const known = await commitOf(codebase, commit)
  const add = (what: string): Step => ({
    name: `Check out ${commit}`,
    file: 'git',
    args: ['worktree', 'add', '--lock', '--reason', reasonOf(mark, undefined), '--detach', '--', path, what],
    env: gitEnvironment,
    failureCode: 'CHECKOUT_FAILED',
  })
  if (known !== undefined) return { codebase, path, steps: [add(known)] }
  if ((await gitLine(codebase, ['remote', 'get-url', 'origin'])) === undefined)
    throw new Refusal(
      'COMMIT_NOT_FOUND',
      `“${commit}” is no commit of ${codebase}, which has no remote “origin” to fetch it from.`,
    )
  const fetch: Step = {
    name: `Fetch ${commit}`,
    file: 'git',
    args: ['fetch', '--no-tags', 'origin', `+${commit}:${refOf(mark)}`],
    env: gitEnvironment,
    failureCode: 'COMMIT_NOT_FOUND',
  }
  return { codebase, path, steps: [fetch, add(refOf(mark))] }
}

/** A branch of `origin` counts too, because the machine may never have checked it out. */
async function commitOf(codebase: string, name: string): Promise<string | undefined> {
  for (const one of [name, `refs/remotes/origin/${name}`]) {
    const found = await gitLine(codebase, ['rev-parse', '--verify', '--quiet', '--end-of-options', `${one}^{commit}`])
    if (found !== undefined) return found
  }
  return undefined
}

/** Removes the checkout of an attempt, whatever its processes have left in it. A repeated call does nothing. */
export async function removeCheckout(
  { codebasePath }: { readonly codebasePath: string },
  folder: JobFolder,
  roots: readonly string[],
): Promise<void> {
  const codebase = await requireCodebase(roots, codebasePath)
  const checkout = (await listWorktrees(codebase)).find((one) => preparedBy(one) === folder.mark)
  if (checkout !== undefined) {
    const problem = await removeLocked(codebase, checkout.path).then(() => undefined, messageOf)
    if (problem !== undefined) {
      const log = new SpoolWriter(folder.output)
      log.write('SYSTEM', Buffer.from(`The checkout ${checkout.path} could not be removed: ${problem}\n`))
      log.close()
    }
  }
  await gitLine(codebase, ['update-ref', '-d', refOf(folder.mark)])
}
