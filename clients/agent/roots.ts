import { readFile, realpath, stat } from 'node:fs/promises'
import { basename, dirname, isAbsolute, join, resolve, sep } from 'node:path'
import { Refusal } from './jobs/refusal.ts'

/**
 * Checks what jobs may access: repositories below the agent's roots, and their worktrees. All checks use resolved paths and read
 * git's own files. Git never runs in a folder that was not validated.
 */

export function isInside(folder: string, path: string): boolean {
  return path === folder || path.startsWith(folder.endsWith(sep) ? folder : folder + sep)
}

async function resolved(path: string): Promise<string | undefined> {
  return isAbsolute(path) ? realpath(path).catch(() => undefined) : undefined
}

async function underRoots(roots: readonly string[], path: string): Promise<boolean> {
  for (const root of roots) {
    const real = await resolved(root)
    if (real && isInside(real, path)) return true
  }
  return false
}

/** Returns the repository's resolved folder. Throws Refusal OUTSIDE_ROOTS. */
export async function requireCodebase(roots: readonly string[], path: string): Promise<string> {
  const real = await resolved(path)
  const isRepository = real !== undefined && (await isFolder(join(real, '.git')))
  if (isRepository && (await underRoots(roots, real))) return real
  throw outside(path, 'is not a repository below one of this agent’s roots')
}

export interface Worktree {
  path: string
  /** The repository that it belongs to. It equals `path` for the main worktree. */
  codebase: string
}

/** Throws Refusal OUTSIDE_ROOTS unless the folder is the top of a worktree of a repository below the roots. */
export async function requireWorktree(roots: readonly string[], path: string): Promise<Worktree> {
  const real = await resolved(path)
  const codebase = real === undefined ? undefined : await codebaseOf(real)
  if (real !== undefined && codebase !== undefined && (await underRoots(roots, codebase)))
    return { path: real, codebase }
  throw outside(path, 'is not a worktree of a repository below one of this agent’s roots')
}

/**
 * A linked worktree's `.git` contains the path of a folder in the repository, which contains the path of the worktree. Both must
 * match.
 */
async function codebaseOf(worktree: string): Promise<string | undefined> {
  const dotGit = join(worktree, '.git')
  if (await isFolder(dotGit)) return worktree
  const pointer = await readFile(dotGit, 'utf8').catch(() => '')
  const target = /^gitdir: (.+)$/m.exec(pointer)?.[1]?.trim()
  const administration = target && (await resolved(resolve(worktree, target)))
  if (!administration || basename(dirname(administration)) !== 'worktrees') return undefined
  const back = (await readFile(join(administration, 'gitdir'), 'utf8').catch(() => '')).trim()
  if ((await resolved(resolve(administration, back))) !== (await resolved(dotGit))) return undefined
  const gitFolder = dirname(dirname(administration))
  return basename(gitFolder) === '.git' ? dirname(gitFolder) : undefined
}

/**
 * Checks the path of a new worktree: below a root or in `<codebase>.worktrees`, and not inside a repository's `.git`. Returns the
 * path with its existing part resolved, so that no link leads elsewhere.
 */
export async function requirePlace(roots: readonly string[], codebase: string, path: string): Promise<string> {
  if (!isAbsolute(path)) throw outside(path, 'is not an absolute path')
  let existing = resolve(path)
  let rest = ''
  for (let real = await resolved(existing); ; real = await resolved(existing)) {
    if (real !== undefined) {
      existing = real
      break
    }
    rest = join(basename(existing), rest)
    existing = dirname(existing)
  }
  const place = rest === '' ? existing : join(existing, rest)
  const allowed = isInside(`${codebase}.worktrees`, place) || (await underRoots(roots, place))
  if (allowed && !place.split(sep).includes('.git')) return place
  throw outside(path, 'lies outside of this agent’s roots')
}

async function isFolder(path: string): Promise<boolean> {
  return stat(path).then(
    (found) => found.isDirectory(),
    () => false,
  )
}

function outside(path: string, why: string): Refusal {
  return new Refusal('OUTSIDE_ROOTS', `${path} ${why}.`)
}
