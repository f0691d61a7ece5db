/** The pushes that are built: the branches, and the worktree on whose machine they are built. */
import * as v from 'valibot'
import { atMost, id, idOf, named, text } from '../core/types.ts'
import { checkPattern, matchesPattern } from './filePattern.ts'

/** The maximum number of patterns of branches. */
const branchPatternsMax = 20

/** The pushes that a version of a configuration builds. */
export type OnPush = {
  readonly branches: readonly string[]
  readonly worktreeId: string
}

const branchPattern = v.pipe(
  text({ min: 1, max: 244 }),
  v.check(
    (value) => checkPattern(value) === undefined,
    'must be the name of a branch. `*` and `?` match within a part between two "/", and `**` matches any parts',
  ),
)

export const onPushInput = named(
  'BuildOnPushInput',
  'The pushes that are built.',
  v.object({
    branches: v.pipe(
      v.array(branchPattern),
      v.minLength(1, 'must name at least one branch'),
      v.maxLength(branchPatternsMax),
      v.description('The branches: names or patterns, such as `main` and `release/*`.'),
    ),
    worktreeId: v.pipe(
      idOf('worktree'),
      v.description(
        'A worktree of the repository. The builds run on its machine, and the worktree itself stays as it is.',
      ),
    ),
  }),
)

export const onPushOutput = named(
  'BuildOnPush',
  'The pushes that are built.',
  v.object({ branches: atMost(branchPatternsMax, v.string()), worktreeId: id }),
)

/** Whether a push to the branch is built. */
export function matchesBranch({ branches }: OnPush, branch: string): boolean {
  return branches.some((pattern) => matchesPattern(pattern, branch))
}
