import type * as v from 'valibot'
import { Failure } from '../../../spec/core/failure.ts'
import { siblingId } from '../../../spec/core/ids.ts'
import { toDateTime } from '../../../spec/core/types.ts'
import { worktreeQueueSchema } from '../../../spec/worktrees/worktreeQueue.ts'
import {
  createWorktree,
  removeWorktree,
  worktree,
  worktreeSchema,
  type worktreeStatus,
  worktrees,
} from '../../../spec/worktrees/worktrees.ts'
import { pageOfRows } from '../core/connections.ts'
import { oneRow } from '../core/oneRow.ts'
import { requireKind, rowAt } from '../core/replies.ts'
import { requireRow } from '../core/rows.ts'
import { handle } from '../handler.ts'
import type { ObjectType } from '../objectType.ts'
import { listPreparations } from './repositoryPreparations.ts'
import { worktreeQueueType } from './worktreeQueue.ts'
import { queueFor } from './worktreeQueueCreation.ts'

export const worktreeType: ObjectType<'worktree', typeof worktreeSchema> = {
  name: 'Worktree',
  kind: 'worktree',
  schema: worktreeSchema,
  relations: {
    agent: {
      type: 'one',
      target: 'Agent',
      by: 'agentId',
      nullable: false,
      description: 'The agent on whose machine the worktree is.',
    },
    codebase: {
      type: 'one',
      target: 'Codebase',
      by: 'codebaseId',
      nullable: false,
      description: 'The codebase that the worktree belongs to.',
    },
    queue: {
      type: 'derived',
      output: worktreeQueueSchema,
      nullable: true,
      description: 'The queue of the worktree.',
      load: async (parents, context) => {
        const queueIds = parents.map(({ id }) => siblingId('worktreeQueue', String(id)))
        const rows = await context.views.getMany('worktreeQueue', queueIds)
        return queueIds.map((queueId) => {
          const row = rows.get(queueId)
          return row === undefined ? null : worktreeQueueType.fromRow(row, context)
        })
      },
    },
    runs: {
      type: 'connection',
      target: 'Run',
      kind: 'run',
      by: 'worktreeId',
      nullable: false,
      description: 'The runs on the worktree. The run that was queued last comes first.',
    },
  },
  fromRow: (row) => {
    const { agentId, codebaseId, main } = row.init
    const { path, branch, headSha, statusError } = row.context
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

export const worktreeHandlers = [
  handle(worktrees, ['views', 'presence'], {
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
  }),
  handle(worktree, ['views', 'presence'], {
    read: oneRow(worktreeType),
  }),
  handle(createWorktree, ['views', 'presence', 'ids'], {
    repeat: {
      message: 1,
      answer: ({ row }, context) => ({ worktree: worktreeType.fromRow(requireKind('worktree', row), context) }),
    },
    translate: async ({ codebaseId, branch, base, path }, context) => {
      const codebase = await requireRow(context.views, 'codebase', codebaseId)
      if (codebase.columns.status !== 'PRESENT') {
        throw new Failure(
          'FAILED_PRECONDITION',
          `The codebase is ${codebase.columns.status}. Worktrees can be created only of a codebase that is PRESENT.`,
          { details: { codebaseId, state: codebase.columns.status } },
        )
      }
      const { agentId, path: codebasePath } = codebase.init
      const agent = await requireRow(context.views, 'agent', agentId)
      if (agent.columns.status === 'REVOKED')
        throw new Failure(
          'FAILED_PRECONDITION',
          'The agent of the codebase was revoked. Use a codebase of another agent.',
          { details: { agentId, state: agent.columns.status } },
        )
      const worktreeId = context.ids.newId('worktree')
      const { repositoryId } = codebase.context
      const prepare = repositoryId === null ? [] : await listPreparations(repositoryId, context.views)
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
            to: { kind: 'worktree', id: siblingId('worktree', rowAt('worktreeQueue', replies).id) },
            event: { type: 'create' },
            create,
          }),
        ],
        answer: (replies) => ({ worktree: worktreeType.fromRow(rowAt('worktree', replies, 1), context) }),
      }
    },
  }),
  handle(removeWorktree, ['views', 'presence', 'ids'], {
    translate: async ({ worktreeId, force }, context) => {
      const row = await requireRow(context.views, 'worktree', worktreeId)
      const { main, agentId } = row.init
      const agentRevoked = (await requireRow(context.views, 'agent', agentId)).columns.status === 'REVOKED'
      if (main && !agentRevoked) {
        throw new Failure(
          'FAILED_PRECONDITION',
          'The main worktree cannot be removed: it contains the repository. Remove another worktree.',
          { details: { field: 'worktreeId', worktreeId } },
        )
      }
      if (row.columns.status !== 'PRESENT' && row.columns.status !== 'MISSING') {
        throw new Failure(
          'FAILED_PRECONDITION',
          `The worktree is ${row.columns.status}. It can be removed while it is PRESENT or MISSING.`,
          {
            details: { state: row.columns.status, event: 'remove' },
          },
        )
      }
      const jobId = context.ids.newId('job')
      return {
        // The queue decides. After it is closed, it accepts no run unless the removal fails.
        messages: [
          {
            to: { kind: 'worktreeQueue', id: siblingId('worktreeQueue', worktreeId) },
            event: { type: 'close', jobId },
          },
          {
            to: { kind: 'worktree', id: worktreeId },
            event: { type: 'remove', jobId, force: force === true, agentRevoked },
          },
        ],
        answer: (replies) => ({ worktree: worktreeType.fromRow(rowAt('worktree', replies, 1), context) }),
      }
    },
  }),
]
