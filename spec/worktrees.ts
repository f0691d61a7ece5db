/** Git worktrees of codebases: where runs happen. */

import * as v from 'valibot'
import { connectionOf, pageArguments, pageOfRows } from './connections.ts'
import { countOf } from './countOf.ts'
import { idempotencyKey } from './enrollments.ts'
import { Failure } from './failure.ts'
import { siblingId } from './ids.ts'
import { oneById } from './oneById.ts'
import { mutation, type ObjectType, query } from './operation.ts'
import { rowAt } from './replies.ts'
import { preparationsOf } from './repositoryPreparations.ts'
import { contextOf, initOf, requireRow } from './rows.ts'
import { dateTime, id, idOf, named, text, toDateTime } from './types.ts'
import { queueFor } from './worktreeQueueCreation.ts'

const worktreeStatus = named(
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

interface WorktreeInit {
  readonly agentId: string
  readonly codebaseId: string
  readonly main: boolean
}
export interface WorktreeContext {
  readonly path: string | null
  readonly branch: string | null
  readonly headSha: string | null
  readonly statusError: string | null
}

export const worktreeType: ObjectType<typeof worktreeSchema> = {
  name: 'Worktree',
  kind: 'worktree',
  schema: worktreeSchema,
  relations: {
    agent: {
      type: 'one',
      target: 'Agent',
      by: 'agentId',
      nullable: false,
      description: 'Whose machine it is on.',
    },
    codebase: {
      type: 'one',
      target: 'Codebase',
      by: 'codebaseId',
      nullable: false,
      description: 'The repository that it is a worktree of.',
    },
    runs: {
      type: 'many',
      target: 'Run',
      kind: 'run',
      by: 'worktreeId',
      limit: 20,
      nullable: false,
      description: 'Its latest 20 runs, newest first. The query `runs` gives all, page by page.',
    },
    runCount: countOf({ kind: 'run', by: 'worktreeId' }, 'How many runs it has had.'),
  },
  fromRow: (row) => {
    const { agentId, codebaseId, main } = initOf<WorktreeInit>(row)
    const { path, branch, headSha, statusError } = contextOf<WorktreeContext>(row)
    return {
      id: row.id,
      agentId,
      codebaseId,
      path,
      branch,
      headSha,
      status: row.columns.status as v.InferOutput<typeof worktreeStatus>,
      main,
      statusError,
      createdAt: toDateTime(row.createdAt),
    }
  },
}

const worktrees = query({
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
  input: v.object({ ...pageArguments, codebaseId: v.nullish(idOf('codebase')), agentId: v.nullish(idOf('agent')) }),
  output: connectionOf('Worktree', worktreeSchema),
  read: async ({ codebaseId, agentId, ...page }, context) =>
    await pageOfRows(
      context.views,
      {
        kind: 'worktree',
        terminal: false,
        where: { ...(codebaseId ? { scopeId: codebaseId } : {}), ...(agentId ? { agentId } : {}) },
      },
      page,
      (row) => worktreeType.fromRow(row, context),
    ),
})

const worktree = oneById(worktreeType, {
  group: 'codebases',
  name: 'get_worktree',
  title: 'Get a worktree',
  description:
    'One git worktree: path, branch, commit, status, and why it is not there (`statusError`). CREATING takes up to 120 s, and ' +
    'up to 30 minutes more where its repository has preparations: ask again until it is PRESENT or FAILED.',
})

const payload = (typeName: string) =>
  named(typeName, 'The worktree after the change.', v.object({ worktree: worktreeSchema }))

/** A name of git's, by `git check-ref-format`; it must not look like an option. */
const branchForm = /^(?![-/])(?!@$)(?!.*(?:\.\.|\/\/|@\{))(?!(?:.*\/)?\.)(?!.*\.lock(?:\/|$))[^\s~^:?*[\\]+(?<![./])$/
const refName = v.pipe(text({ min: 1, max: 244 }), v.regex(branchForm, 'must be a name that git takes for a branch'))

const createWorktree = mutation({
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
  repeat: { message: 1, answer: ({ row }, context) => ({ worktree: worktreeType.fromRow(row, context) }) },
  translate: async ({ codebaseId, branch, base, path }, context) => {
    const codebase = await requireRow(context.views, 'codebase', codebaseId)
    if (codebase.columns.status !== 'PRESENT') {
      throw new Failure('FAILED_PRECONDITION', `The codebase is ${codebase.columns.status}.`)
    }
    const { agentId, path: codebasePath } = initOf<{ agentId: string; path: string }>(codebase)
    const agent = await requireRow(context.views, 'agent', agentId)
    if (agent.columns.status === 'REVOKED') throw new Failure('FAILED_PRECONDITION', 'Its agent was revoked.')
    const worktreeId = context.newId('worktree')
    const prepare = await preparationsOf(codebase, context.views)
    const create = {
      agentId,
      codebaseId,
      codebasePath,
      adopted: false,
      path: path ?? null,
      branch,
      base: base ?? null,
      headSha: null,
      main: false,
      createdAt: context.now,
      ...(prepare.length === 0 ? {} : { prepare: prepare.map(({ name, command }) => ({ name, command })) }),
    }
    return {
      messages: [
        queueFor(worktreeId, codebaseId, agentId, context.now),
        (replies) => ({
          to: { kind: 'worktree', id: siblingId('worktree', rowAt(replies).id) },
          event: { type: 'create' },
          create,
        }),
      ],
      answer: (replies) => ({ worktree: worktreeType.fromRow(rowAt(replies, 1), context) }),
    }
  },
})

const removeWorktree = mutation({
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
  translate: async ({ worktreeId, force }, context) => {
    const row = await requireRow(context.views, 'worktree', worktreeId)
    const { main, agentId } = initOf<WorktreeInit>(row)
    const agentRevoked = (await requireRow(context.views, 'agent', agentId)).columns.status === 'REVOKED'
    if (main && !agentRevoked) {
      throw new Failure('FAILED_PRECONDITION', 'The main worktree can’t be removed: it is the repository itself.')
    }
    if (row.columns.status !== 'PRESENT' && row.columns.status !== 'MISSING') {
      throw new Failure('FAILED_PRECONDITION', `The worktree is ${row.columns.status} and can't be removed.`, {
        details: { state: row.columns.status, event: 'remove' },
      })
    }
    const jobId = context.newId('job')
    return {
      // The queue decides; closed, it takes no run in until the removal has failed.
      messages: [
        { to: { kind: 'worktreeQueue', id: siblingId('worktreeQueue', worktreeId) }, event: { type: 'close', jobId } },
        {
          to: { kind: 'worktree', id: worktreeId },
          event: { type: 'remove', jobId, force: force === true, agentRevoked },
        },
      ],
      answer: (replies) => ({ worktree: worktreeType.fromRow(rowAt(replies, 1), context) }),
    }
  },
})

export const worktreeOperations = [worktrees, worktree, createWorktree, removeWorktree]
