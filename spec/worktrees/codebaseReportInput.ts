/** An agent's report of the git repositories on its machine. */
import * as v from 'valibot'
import { int, named, text, words } from '../core/types.ts'
import { syncState } from './codebases.ts'

/** The path of a folder on the agent’s machine. */
export const path = text({ min: 1, max: 1_024 })
export const name = v.nullish(text({ max: 244 }))
export const sha = v.nullish(text({ max: 64 }))
const moment = v.pipe(v.string(), v.isoTimestamp())
const count = v.nullish(v.pipe(int, v.minValue(0)))

/** One report stays well below the limit of a WebSocket message (1 MiB). A machine with more sends several. */
export const codebasesMax = 200
const worktreesMax = 500

export const worktreeReport = named(
  'WorktreeReport',
  'A line of `git worktree list`.',
  v.object({ path, branch: name, headSha: sha }),
)
export const codebaseReport = named(
  'CodebaseReport',
  'The current state of a git repository on the agent’s machine.',
  v.object({
    path,
    observedOrigin: v.nullish(text({ max: 500 })),
    branch: name,
    headSha: sha,
    upstream: name,
    ahead: count,
    behind: count,
    syncState,
    availability: named('ReportedAvailability', 'Whether the folder exists.', v.picklist(['PRESENT', 'MISSING'])),
    statusError: v.nullish(words(300)),
    lastCheckedAt: moment,
    lastFetchedAt: v.nullish(moment),
    branches: v.nullish(v.pipe(v.array(text({ max: 500 })), v.maxLength(1_000))),
    branchCount: v.pipe(count, v.description('The number of branches, if `branches` does not name all of them.')),
    worktrees: v.pipe(
      v.array(worktreeReport),
      v.maxLength(worktreesMax),
      v.description(
        'All worktrees between `worktreesAfter` and `worktreesUpTo`. A known worktree in that range that is not listed becomes MISSING.',
      ),
    ),
    worktreesAfter: v.pipe(
      v.nullish(path),
      v.description(
        `A codebase with more than ${worktreesMax} worktrees is reported in parts, in the order of their paths (compared as UTF-8 bytes). This part lists the worktrees whose path comes after this one. Omit it in the first part.`,
      ),
    ),
    worktreesUpTo: v.pipe(
      v.nullish(path),
      v.description('This part lists the worktrees up to this path, inclusive. Omit it in the last part.'),
    ),
  }),
)
