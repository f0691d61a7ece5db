import { lstat } from 'node:fs/promises'
import { join } from 'node:path'
import { git } from '../system/git.ts'

/** The commit of a worktree, and its files that differ from it, with a mark that changes when a file is written. Ignored files are left out. */
export type WorktreeState = Readonly<Record<string, string>>

const headKey = 'HEAD'

/** @throws GitError, for example in a repository without a commit */
export async function readWorktreeState(path: string): Promise<WorktreeState> {
  const head = (await git(path, ['rev-parse', '--verify', 'HEAD'])).trim()
  const status = await git(path, ['status', '--porcelain=v1', '-z', '--untracked-files=all', '--no-renames'])
  const state: Record<string, string> = { [headKey]: head }
  for (const entry of status.split('\0')) {
    if (entry === '') continue
    // Two letters for the state in the index and in the worktree, a blank, and the path.
    const name = entry.slice(3)
    const file = await lstat(join(path, name), { bigint: true }).catch(() => undefined)
    state[`file ${name}`] = `${entry.slice(0, 2)} ${file ? `${file.size} ${file.mtimeNs} ${file.mode}` : 'absent'}`
  }
  return state
}

/** The names of the files that differ, and `HEAD` if there are new commits. */
export function differences(before: WorktreeState, after: WorktreeState): string[] {
  const keys = new Set([...Object.keys(before), ...Object.keys(after)])
  return [...keys].filter((key) => before[key] !== after[key]).map((key) => key.replace(/^file /, ''))
}
