import * as v from 'valibot'
import { type availability, codebase, codebaseSchema, codebases } from '../../../spec/worktrees/codebases.ts'
import { repositoryOf } from '../../../spec/worktrees/repository.ts'
import { pageOfRows } from '../core/connections.ts'
import { memberOf } from '../core/members.ts'
import { oneRow } from '../core/oneRow.ts'
import { handle } from '../handler.ts'
import type { ObjectType } from '../objectType.ts'

const branches = {
  type: 'derived',
  output: v.array(v.string()),
  nullable: false,
  description:
    'The names of its branches, as last reported: the first 500 by name. `branchCount` is how many there are.',
  load: memberOf('branches', []),
} as const

export const codebaseType: ObjectType<'codebase', typeof codebaseSchema> = {
  name: 'Codebase',
  kind: 'codebase',
  schema: codebaseSchema,
  relations: {
    agent: {
      type: 'one',
      target: 'Agent',
      by: 'agentId',
      nullable: false,
      description: 'Whose machine it is on.',
    },
    worktrees: {
      type: 'connection',
      target: 'Worktree',
      kind: 'worktree',
      by: 'scopeId',
      terminal: false,
      nullable: false,
      description: 'Its worktrees, the main one included, newest first.',
    },
    branches,
  },
  fromRow: (row) => {
    const { agentId, path } = row.init
    const { state } = row.context
    return {
      id: row.id,
      agentId,
      path,
      ...state,
      branchCount: state.branchCount ?? null,
      repository: repositoryOf(state.observedOrigin) ?? null,
      availability: row.columns.status as v.InferOutput<typeof availability>,
      createdAt: new Date(row.createdAt).toISOString(),
    }
  },
}

export const codebaseHandlers = [
  handle(codebases, {
    read: async ({ agentId, ...page }, context) =>
      await pageOfRows(
        context.views,
        { kind: 'codebase', terminal: false, ...(agentId ? { where: { agentId } } : {}) },
        page,
        (row) => codebaseType.fromRow(row, context),
      ),
  }),
  handle(codebase, {
    additions: { branches },
    read: oneRow(codebaseType),
  }),
]
