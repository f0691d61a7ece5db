/** Git worktrees of codebases: where runs happen. */
import * as v from 'valibot'
import { idempotencyKey } from '../agents/enrollments.ts'
import { connectionOf, orderByOf, pageArguments } from '../core/connections.ts'
import { oneById } from '../core/oneById.ts'
import { mutation, query } from '../core/operation.ts'
import { dateTime, id, idOf, named, text } from '../core/types.ts'

export const worktreeStatus = named(
  'WorktreeStatus',
  'How a worktree stands.',
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
    main: v.pipe(v.boolean(), v.description('The checkout that the repository was cloned into.')),
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
      'Lists the git worktrees in which runs happen, newest first: path, branch, status. Filter by `codebaseId` or `agentId`. A ' +
      'run can be asked for where the status is PRESENT: `create_agent_run`. What waits there: `get_worktree_run_queue`.',
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
      'One git worktree: path, branch, commit, status, and why it is not there (`statusError`). CREATING takes up to 120 s, and ' +
      'up to 30 minutes more where its repository has preparations: ask again until it is PRESENT or FAILED.',
  },
})

const payload = (typeName: string) =>
  named(typeName, 'The worktree after the change.', v.object({ worktree: worktreeSchema }))

/** A name of git's, by `git check-ref-format`; it must not look like an option. */
const branchForm = /^(?![-/])(?!@$)(?!.*(?:\.\.|\/\/|@\{))(?!(?:.*\/)?\.)(?!.*\.lock(?:\/|$))[^\s~^:?*[\\]+(?<![./])$/
const refName = v.pipe(text({ min: 1, max: 244 }), v.regex(branchForm, 'must be a name that git takes for a branch'))

export const createWorktree = mutation({
  name: 'createWorktree',
  description:
    'Makes a worktree of a codebase on its agent’s machine, and prepares it as its repository’s preparations say. It takes at most 120 s, and 30 minutes more where there are preparations; else it is FAILED.',
  access: 'people',
  tool: {
    group: 'codebases',
    title: 'Create a worktree',
    description:
      'Makes a git worktree of a codebase on its agent’s machine, for work beside what goes on in the others. The answer is ' +
      'CREATING: ask `get_worktree` until it is PRESENT, then `create_agent_run`.',
  },
  input: v.object({
    codebaseId: idOf('codebase'),
    branch: v.pipe(refName, v.description('Checked out there; made where it does not exist.')),
    base: v.pipe(
      v.nullish(refName),
      v.description('From which a new branch starts; the codebase’s own where omitted.'),
    ),
    path: v.pipe(
      v.nullish(v.pipe(text({ min: 1, max: 1_024 }), v.startsWith('/'))),
      v.description('The folder, absolute; beside the codebase where omitted.'),
    ),
    idempotencyKey,
  }),
  output: payload('CreateWorktreePayload'),
})

export const removeWorktree = mutation({
  name: 'removeWorktree',
  description:
    'Removes a worktree from its machine. Refused while a run is queued on it or holds a slot. Where its agent was revoked, only the record goes: nothing on the machine is touched.',
  access: 'people',
  tool: {
    group: 'codebases',
    title: 'Remove a worktree',
    description:
      'Removes a worktree from its machine. Refused while a run is queued on it or holds a slot, and for the main worktree. What ' +
      'is not committed there is lost with `force`, and keeps it from being removed without.',
    destroys: true,
  },
  input: v.object({
    worktreeId: idOf('worktree'),
    force: v.pipe(v.nullish(v.boolean()), v.description('Removes it with what is not committed. Default: false.')),
  }),
  output: payload('RemoveWorktreePayload'),
})
