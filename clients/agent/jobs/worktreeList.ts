import { git } from '../system/git.ts'

export interface ListedWorktree {
  path: string
  branch: string | undefined
  headSha: string | undefined
  /** Git's word for one whose folder has gone. */
  prunable: boolean
  /** Why it is locked; empty where nobody gave a reason. */
  locked: string | undefined
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
        locked: lines.includes('locked') ? '' : after('locked'),
      }
    })
}
