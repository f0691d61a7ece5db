/** Git worktrees of codebases. Runs execute on worktrees. */
import * as v from 'valibot'
import { connectionOf, orderByOf, pageArguments } from '../core/connections.ts'
import { idempotencyKey } from '../core/idempotencyKey.ts'
import { oneById } from '../core/oneById.ts'
import { mutation, query } from '../core/operation.ts'
import { dateTime, id, idOf, named, text } from '../core/types.ts'

export const worktreeStatus = named(
  'WorktreeStatus',
  'The status of a worktree. A run needs a worktree that is PRESENT.',
  v.picklist(['CREATING', 'PRESENT', 'MISSING', 'REMOVING', 'REMOVED', 'FAILED']),
)

export const worktreeSchema = named(
  'Worktree',
  'A git worktree of a codebase.',
  v.object({
    id,
    agentId: id,
    codebaseId: id,
    path: v.nullable(v.string()),
    branch: v.nullable(v.string()),
    headSha: v.nullable(v.string()),
    status: worktreeStatus,
    main: v.pipe(
      v.boolean(),
      v.description('Whether the worktree is the main one: the folder into which the repository was cloned.'),
    ),
    statusError: v.nullable(v.string()),
    createdAt: dateTime,
  }),
)

export const worktrees = query({
  name: 'worktrees',
  description: 'Worktrees, newest first.',
  access: 'people',
  tool: {
    group: 'codebases',
    name: 'get_worktrees',
    title: 'List worktrees',
    description:
      'Lists the git worktrees on which runs execute, newest first: path, branch, status. Filter by `codebaseId` or `agentId`. ' +
      '`create_agent_run` needs a worktree that is PRESENT. `get_worktree_run_queue` returns the runs that wait for it.',
  },
  input: v.object({
    ...pageArguments,
    orderBy: orderByOf('Worktree', ['CREATED_AT']),
    codebaseId: v.nullish(idOf('codebase')),
    agentId: v.nullish(idOf('agent')),
  }),
  output: connectionOf('Worktree', worktreeSchema),
})

export const worktree = query({
  ...oneById('worktree', worktreeSchema),
  tool: {
    group: 'codebases',
    name: 'get_worktree',
    title: 'Get a worktree',
    description:
      'Returns one git worktree: path, branch, commit, status, and the error if it could not be created or removed ' +
      '(`statusError`). CREATING takes up to 120 s, and up to 30 minutes more if its repository has preparations: call it ' +
      'again until the status is PRESENT or FAILED.',
  },
})

const payload = (typeName: string) =>
  named(typeName, 'The worktree after the change.', v.object({ worktree: worktreeSchema }))

/** A name that `git check-ref-format` accepts. It must not look like an option. */
const branchForm = /^(?![-/])(?!@$)(?!.*(?:\.\.|\/\/|@\{))(?!(?:.*\/)?\.)(?!.*\.lock(?:\/|$))[^\s~^:?*[\\]+(?<![./])$/
const refName = v.pipe(text({ min: 1, max: 244 }), v.regex(branchForm, 'must be a name that git accepts for a branch'))

export const createWorktree = mutation({
  name: 'createWorktree',
  description:
    'Creates a worktree of a codebase on its agent’s machine and runs the preparations of its repository. It is FAILED after 120 s, or 30 minutes later if the repository has preparations.',
  access: 'people',
  tool: {
    group: 'codebases',
    title: 'Create a worktree',
    description:
      'Creates a git worktree of a codebase on its agent’s machine, for work that is independent of the other worktrees. The ' +
      'returned status is CREATING: call `get_worktree` until it is PRESENT, then `create_agent_run`.',
  },
  input: v.object({
    codebaseId: idOf('codebase'),
    branch: v.pipe(refName, v.description('The branch that is checked out. It is created if it does not exist.')),
    base: v.pipe(
      v.nullish(refName),
      v.description(
        'The branch or commit from which a new branch starts. Default: the branch of the same name on `origin` if it exists, else the codebase’s HEAD.',
      ),
    ),
    path: v.pipe(
      v.nullish(v.pipe(text({ min: 1, max: 1_024 }), v.startsWith('/'))),
      v.description('The absolute path of the new folder. Default: a folder beside the codebase.'),
    ),
    idempotencyKey,
  }),
  output: payload('CreateWorktreePayload'),
})

export const removeWorktree = mutation({
  name: 'removeWorktree',
  description:
    'Removes a worktree from its machine. It is refused while a run is queued on the worktree or holds a slot. If its agent was revoked, only the record is removed, and the folder on the machine stays.',
  access: 'people',
  tool: {
    group: 'codebases',
    title: 'Remove a worktree',
    description:
      'Removes a worktree from its machine. It is refused for the main worktree, and while a run is queued on the worktree or ' +
      'holds a slot. Without `force` it is refused if the worktree has uncommitted changes. With `force` they are lost.',
    destroys: true,
  },
  input: v.object({
    worktreeId: idOf('worktree'),
    force: v.pipe(
      v.nullish(v.boolean()),
      v.description('Whether to remove a worktree that has uncommitted changes. The changes are lost. Default: false.'),
    ),
  }),
  output: payload('RemoveWorktreePayload'),
})
