import * as v from 'valibot'
import { codebaseMembers } from '../../../machines/worktrees/codebaseKeys.ts'
import { jobSchema } from '../../../spec/agents/jobObject.ts'
import { type availability, codebase, codebaseSchema, codebases } from '../../../spec/worktrees/codebases.ts'
import { jobType } from '../agents/jobObject.ts'
import { pageOfRows } from '../core/connections.ts'
import { loadMember } from '../core/members.ts'
import { oneRow } from '../core/oneRow.ts'
import { handle } from '../handler.ts'
import type { ObjectType } from '../objectType.ts'
import { activeJobs } from './activeJobs.ts'
import { repositoryOfCodebase } from './repositories.ts'

const branches = {
  type: 'derived',
  output: v.array(v.string()),
  nullable: false,
  description:
    'The names of the codebase’s branches in the last report: the first 500, by name. `branchCount` is the number of all.',
  load: loadMember(codebaseMembers.branches, { absent: [] }),
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
      description: 'The agent on whose machine the codebase is.',
    },
    repository: repositoryOfCodebase,
    worktrees: {
      type: 'connection',
      target: 'Worktree',
      kind: 'worktree',
      by: 'scopeId',
      terminal: false,
      nullable: false,
      description: 'The worktrees of the codebase, including the main one, newest first.',
    },
    activeJob: {
      type: 'derived',
      output: jobSchema,
      nullable: true,
      description:
        'The job that executes in one of the codebase’s worktrees. If none executes, the job that has waited longest.',
      load: async (parents, context) => {
        const agentIds = [...new Set(parents.map((parent) => String(parent.agentId)))]
        const jobs = await activeJobs(agentIds, context.views)
        return parents.map((parent) => {
          const row = jobs.get(String(parent.id))
          return row === undefined ? null : jobType.fromRow(row, context)
        })
      },
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
      branchCount: state.branchCount,
      repositoryId: row.context.repositoryId,
      availability: row.columns.status as v.InferOutput<typeof availability>,
      createdAt: new Date(row.createdAt).toISOString(),
    }
  },
}

export const codebaseHandlers = [
  handle(codebases, ['views', 'presence'], {
    read: async ({ agentId, repositoryId, ...page }, context) =>
      await pageOfRows(
        context.views,
        {
          kind: 'codebase',
          terminal: false,
          where: { ...(agentId ? { agentId } : {}), ...(repositoryId ? { scopeId: repositoryId } : {}) },
        },
        page,
        (row) => codebaseType.fromRow(row, context),
      ),
    additions: { repository: repositoryOfCodebase },
  }),
  handle(codebase, ['views', 'presence'], {
    additions: { repository: repositoryOfCodebase, branches },
    read: oneRow(codebaseType),
  }),
]
