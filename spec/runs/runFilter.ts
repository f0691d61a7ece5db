/** The filter of lists of runs, and of bulk actions on runs. A run must match all given fields. */
import * as v from 'valibot'
import { type ActorKind, kindOfId } from '../core/ids.ts'
import { anyId, idOf, text } from '../core/types.ts'
import { instant } from '../telemetry/instant.ts'
import { runKind } from '../worktrees/queueEntries.ts'
import { runStatus } from './runStatus.ts'

/** The kinds of the objects that can request a run. */
const requesterKinds: readonly ActorKind[] = ['user', 'apiKey', 'run', 'schedule']

const requesterId = v.pipe(
  anyId,
  v.check((given) => {
    const kind = kindOfId(given)
    return kind !== undefined && requesterKinds.includes(kind)
  }, 'must be the ID of a user, an API key, a run or a schedule'),
)

export const runFilterFields = {
  text: v.pipe(
    v.nullish(text({ min: 1, max: 200 })),
    v.description(
      'Returns only runs that have all of these words, in any order and in upper or lower case; the last word may be unfinished. The words of a run are those of its title, of `#` and its number, of the first 2,000 characters of its prompt or commands, and of the agent’s name, the branch and the repository when the run was created. The ID of a run or of its job finds the run.',
    ),
  ),
  requestedBy: v.pipe(
    v.nullish(requesterId),
    v.description('Returns only runs that this user, API key, run or schedule requested.'),
  ),
  cli: v.pipe(
    v.nullish(text({ min: 1, max: 100 })),
    v.description('Returns only runs whose request named this coding CLI.'),
  ),
  repositoryId: v.pipe(
    v.nullish(idOf('repository')),
    v.description('Returns only runs on worktrees of codebases of this repository.'),
  ),
  worktreeId: v.nullish(idOf('worktree')),
  agentId: v.nullish(idOf('agent')),
  workflowId: v.nullish(idOf('workflow')),
  sessionId: v.nullish(idOf('session')),
  planId: v.nullish(idOf('plan')),
  parentRunId: v.pipe(v.nullish(idOf('run')), v.description('Returns only runs that this run started.')),
  statuses: v.pipe(
    v.nullish(v.pipe(v.array(runStatus), v.maxLength(14))),
    v.description('Returns only runs with one of these statuses.'),
  ),
  kind: v.pipe(v.nullish(runKind), v.description('Returns only runs of plans, of sessions or of workflows.')),
  kinds: v.pipe(
    v.nullish(v.pipe(v.array(runKind), v.minLength(1, 'must have at least one'), v.maxLength(3))),
    v.description('Returns only runs of these kinds. A run must also match `kind`, if both are given.'),
  ),
  from: v.pipe(v.nullish(instant), v.description('Returns only runs that were created at or after this time.')),
  to: v.pipe(v.nullish(instant), v.description('Returns only runs that were created before this time.')),
}
