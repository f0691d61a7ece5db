import { git } from '../system/git.ts'

export interface ListedWorktree {
  path: string
  branch: string | undefined
  headSha: string | undefined
  /** Git's term for a worktree whose folder is missing. */
  prunable: boolean
  /** The reason of the lock. Empty if it has none. */
  locked: string | undefined
}

/** Returns all worktrees of a repository, the main one first. */
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
        locked: lines.includes('locked') ? '' : after('locked'),
      }
    })
}
