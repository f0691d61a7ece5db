import type { QuietGit } from './quietGit.ts'
import { splitAtZeros } from './zeroSeparated.ts'

export interface Commit {
  readonly id: string
  readonly author: string
  /** ISO 8601 */
  readonly authoredAt: string
  /** The first line of its message. */
  readonly subject: string
}

/** The newest first, and the number of the others. */
export interface Commits {
  readonly commits: readonly Commit[]
  readonly omitted: number
}

const most = 100
/** The maximum length of a name and of a subject, in characters. */
const longest = 500

/** Returns the commits of the worktree's HEAD that `since` does not have. */
export async function readCommits(git: QuietGit, since: string): Promise<Commits> {
  const range = [`${since}..HEAD`, '--']
  const format = '--format=tformat:%H%x00%an%x00%aI%x00%s'
  const args = ['log', '-z', `--max-count=${most}`, '--no-show-signature', '--no-notes', '--no-mailmap', '--no-color']
  const fields: string[] = []
  for await (const field of splitAtZeros(git.stream([...args, '--no-patch', '--encoding=UTF-8', format, ...range])))
    fields.push(field.toString().slice(0, longest))
  const commits: Commit[] = []
  for (let at = 0; at + 3 < fields.length; at += 4) {
    const [id = '', author = '', authoredAt = '', subject = ''] = fields.slice(at, at + 4)
    commits.push({ id, author, authoredAt, subject })
  }
  if (commits.length < most) return { commits, omitted: 0 }
  let count = ''
  for await (const data of git.stream(['rev-list', '--count', ...range])) count += data.toString()
  return { commits, omitted: Number(count) - commits.length }
}
