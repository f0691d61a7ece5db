import { lstat } from 'node:fs/promises'
import { join } from 'node:path'
import { git, gitEnvironment, gitLine } from '../git.ts'
import { requireCodebase, requirePlace, requireWorktree } from '../roots.ts'
import type { RunPlan } from './folder.ts'
import { Refusal } from './refusal.ts'
import type { CreateWorktreeSpec, RemoveWorktreeSpec } from './spec.ts'

/** Worktrees are made and removed by `git worktree`, run as a step under the supervisor like any other command. */
type Steps = Pick<RunPlan, 'cwd' | 'env' | 'steps' | 'timeoutSeconds'>

/** Seconds; less than the control plane waits, so that it hears of a time-out from us. */
const timeoutSeconds = 110

export async function planCreate(spec: CreateWorktreeSpec, roots: readonly string[]): Promise<Steps> {
  const codebase = await requireCodebase(roots, spec.codebasePath)
  const place = await placeOf(spec, roots, codebase)
  if ((await gitLine(codebase, ['check-ref-format', '--branch', spec.branch])) !== spec.branch) {
    throw new Refusal('BRANCH_UNUSABLE', `“${spec.branch}” is not a name that git allows for a branch.`)
  }
  const steps = (await standsAlready(codebase, place, spec.branch)) ? [] : [await addStep(codebase, place, spec)]
  return { cwd: codebase, env: gitEnvironment, timeoutSeconds, steps }
}

async function placeOf(spec: CreateWorktreeSpec, roots: readonly string[], codebase: string): Promise<string> {
  const chosen = spec.worktreePath ?? join(`${codebase}.worktrees`, folderNameOf(spec.branch))
  return requirePlace(roots, codebase, chosen)
}

/** `feature/Größe` → `feature-Gr-e`; never empty, never a name with a meaning of its own. */
export function folderNameOf(branch: string): string {
  return branch.replace(/[^A-Za-z0-9._-]+/g, '-').replace(/^[.-]+|[.-]+$/g, '') || 'worktree'
}

/** An earlier attempt may have made it and not lived to say so. */
async function standsAlready(codebase: string, place: string, branch: string): Promise<boolean> {
  const found = (await listWorktrees(codebase)).find((worktree) => worktree.path === place)
  return found?.branch === branch && (await exists(place))
}

async function addStep(codebase: string, place: string, { branch, base }: CreateWorktreeSpec) {
  const add = (...args: string[]) => ({
    name: `git worktree add ${place}`,
    file: 'git',
    args: ['worktree', 'add', ...args],
  })
  if (await isCommit(codebase, `refs/heads/${branch}`)) return add('--', place, branch)
  if (base === undefined && (await isCommit(codebase, `refs/remotes/origin/${branch}`))) {
    return add('--track', '-b', branch, '--', place, `origin/${branch}`)
  }
  const start = base ?? 'HEAD'
  if (!(await isCommit(codebase, start))) {
    throw new Refusal('BRANCH_UNUSABLE', `“${start}”, on which ${branch} shall be based, is no commit of ${codebase}.`)
  }
  return add('--no-track', '-b', branch, '--', place, start)
}

async function isCommit(codebase: string, name: string): Promise<boolean> {
  return (
    (await gitLine(codebase, ['rev-parse', '--verify', '--quiet', '--end-of-options', `${name}^{commit}`])) !==
    undefined
  )
}

export async function concludeCreate(spec: CreateWorktreeSpec, roots: readonly string[]) {
  const codebase = await requireCodebase(roots, spec.codebasePath)
  const path = await placeOf(spec, roots, codebase)
  const headSha = (await git(path, ['rev-parse', 'HEAD'])).trim()
  return { path, branch: spec.branch, headSha }
}

export async function planRemove(spec: RemoveWorktreeSpec, roots: readonly string[]): Promise<Steps> {
  const codebase = await requireCodebase(roots, spec.codebasePath)
  const common = { cwd: codebase, env: gitEnvironment, timeoutSeconds }
  if (!(await exists(spec.worktreePath))) {
    // Removed by hand, or by an earlier attempt: what is left is git's note of it.
    return { ...common, steps: [{ name: 'git worktree prune', file: 'git', args: ['worktree', 'prune'] }] }
  }
  const worktree = await requireWorktree(roots, spec.worktreePath)
  if (worktree.codebase !== codebase) {
    throw new Refusal(
      'OUTSIDE_ROOTS',
      `${spec.worktreePath} is a worktree of ${worktree.codebase}, not of ${codebase}.`,
    )
  }
  const force = spec.force ? ['--force'] : []
  const args = ['worktree', 'remove', ...force, '--', worktree.path]
  return { ...common, steps: [{ name: `git worktree remove ${worktree.path}`, file: 'git', args }] }
}

export interface ListedWorktree {
  path: string
  branch: string | undefined
  headSha: string | undefined
  /** Git's word for one whose folder has gone. */
  prunable: boolean
}

/** All worktrees of a repository, the main one first. */
export async function listWorktrees(codebase: string): Promise<ListedWorktree[]> {
  const text = await git(codebase, ['worktree', 'list', '--porcelain'])
  return text
    .split('\n\n')
    .filter((block) => block.startsWith('worktree '))
    .map((block) => {
      const lines = block.split('\n')
      const after = (word: string) => lines.find((line) => line.startsWith(`${word} `))?.slice(word.length + 1)
      return {
        path: after('worktree') ?? '',
        branch: after('branch')?.replace(/^refs\/heads\//, ''),
        headSha: /^0*$/.test(after('HEAD') ?? '') ? undefined : after('HEAD'),
        prunable: lines.some((line) => line.startsWith('prunable')),
      }
    })
}

async function exists(path: string): Promise<boolean> {
  return lstat(path).then(
    () => true,
    () => false,
  )
}
