import { lstat } from 'node:fs/promises'
import { join } from 'node:path'
import { requireCodebase, requirePlace, requireWorktree } from '../roots.ts'
import { git, gitEnvironment, gitLine, readOlderVersion } from '../system/git.ts'
import type { RunPlan } from './folder.ts'
import { Refusal } from './refusal.ts'
import type { CreateWorktreeSpec, RemoveWorktreeSpec } from './spec.ts'
import { preparedBy, reasonOf } from './unfinished.ts'
import { listWorktrees } from './worktreeList.ts'

/** Plans the jobs that create and remove worktrees with `git worktree`, which runs under the supervisor like any other command. */
type Steps = Pick<RunPlan, 'cwd' | 'env' | 'steps' | 'timeoutSeconds'>

/** Seconds, if the job sets none. It is less than the control plane waits, so that the agent reports a timeout first. */
const timeoutSeconds = 110

export async function planCreate(spec: CreateWorktreeSpec, mark: string, roots: readonly string[]): Promise<Steps> {
  const codebase = await requireCodebase(roots, spec.codebasePath)
  const place = await placeOf(spec, roots, codebase)
  if ((await gitLine(codebase, ['check-ref-format', '--branch', spec.branch])) !== spec.branch) {
    throw new Refusal('BRANCH_UNUSABLE', `“${spec.branch}” is not a name that git allows for a branch.`)
  }
  const common = { cwd: codebase, env: {}, timeoutSeconds: spec.timeoutSeconds ?? timeoutSeconds }
  // A worktree that exists is not prepared again.
  if (await existsAlready(codebase, place, spec.branch, mark)) return { ...common, steps: [] }
  const { args, createdBranchCommit } = await addArguments(codebase, place, spec)
  if (spec.prepare === undefined || spec.prepare.length === 0) {
    return { ...common, steps: [gitStep(`add ${place}`, ['add', ...args])] }
  }
  await requireLocks(codebase, 'A worktree with preparations')
  const lock = ['--lock', '--reason', reasonOf(mark, createdBranchCommit)]
  const preparations = spec.prepare.map(({ name, command }) => ({
    name,
    file: 'sh',
    args: ['-c', command],
    cwd: place,
    failureCode: 'PREPARATION_FAILED',
  }))
  const add = gitStep(`add ${place}`, ['add', ...lock, ...args])
  const unlock = gitStep(`unlock ${place}`, ['unlock', '--', place])
  return { ...common, steps: [add, ...preparations, unlock] }
}

const gitStep = (name: string, args: string[]) => ({
  name: `git worktree ${name}`,
  file: 'git',
  args: ['worktree', ...args],
  env: gitEnvironment,
})

/** `git worktree add --lock --reason` requires git 2.33. @param what needs it, for the message */
export async function requireLocks(codebase: string, what: string): Promise<void> {
  const version = await readOlderVersion(codebase, 33)
  if (version !== undefined)
    throw new Refusal('GIT_TOO_OLD', `${what} needs git 2.33 or newer; this machine has ${version}.`)
}

async function placeOf(spec: CreateWorktreeSpec, roots: readonly string[], codebase: string): Promise<string> {
  const chosen = spec.worktreePath ?? join(`${codebase}.worktrees`, folderNameOf(spec.branch))
  return requirePlace(roots, codebase, chosen)
}

/** `feature/Größe` → `feature-Gr-e`. Never empty, and never a name with a special meaning. */
function folderNameOf(branch: string): string {
  return branch.replace(/[^A-Za-z0-9._-]+/g, '-').replace(/^[.-]+|[.-]+$/g, '') || 'worktree'
}

/** An earlier attempt may have created it and stopped before its report. If another attempt prepares the worktree, it is rejected. */
async function existsAlready(codebase: string, place: string, branch: string, mark: string): Promise<boolean> {
  const found = (await listWorktrees(codebase)).find((worktree) => worktree.path === place)
  if (found === undefined || !(await exists(place))) return false
  const by = preparedBy(found)
  if (by !== undefined && by !== mark) {
    const remedy = `If nothing prepares it any more: git worktree remove --force --force ${place}`
    throw new Refusal('WORKTREE_UNFINISHED', `${place} is still being prepared, by job ${by}. ${remedy}`)
  }
  return by === undefined && found.branch === branch
}

interface Add {
  args: string[]
  /** The commit at which the new branch begins, if one is created. */
  createdBranchCommit?: string | undefined
}

async function addArguments(codebase: string, place: string, { branch, base }: CreateWorktreeSpec): Promise<Add> {
  if (await commitOf(codebase, `refs/heads/${branch}`)) return { args: ['--', place, branch] }
  const remote = base === undefined ? await commitOf(codebase, `refs/remotes/origin/${branch}`) : undefined
  if (remote !== undefined) {
    return { args: ['--track', '-b', branch, '--', place, `origin/${branch}`], createdBranchCommit: remote }
  }
  const start = base ?? 'HEAD'
  const createdBranchCommit = await commitOf(codebase, start)
  if (createdBranchCommit === undefined) {
    throw new Refusal('BRANCH_UNUSABLE', `“${start}”, on which ${branch} shall be based, is no commit of ${codebase}.`)
  }
  return { args: ['--no-track', '-b', branch, '--', place, start], createdBranchCommit }
}

function commitOf(codebase: string, name: string): Promise<string | undefined> {
  return gitLine(codebase, ['rev-parse', '--verify', '--quiet', '--end-of-options', `${name}^{commit}`])
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
    // It was removed by hand or by an earlier attempt. Only git's record of it is left.
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

async function exists(path: string): Promise<boolean> {
  return lstat(path).then(
    () => true,
    () => false,
  )
}
