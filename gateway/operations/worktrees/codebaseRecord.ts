/** A codebase as REST shows it: its own fields, its agent, and the job that works in one of its worktrees now. */

import type { TypedRow } from '../../../machines/rows.ts'
import { agentType } from '../agents/agents.ts'
import type { RequestContext } from '../requestContext.ts'
import type { TypedViews } from '../typedViews.ts'
import { codebaseType } from './codebases.ts'

type Context = Pick<RequestContext, 'views' | 'presence' | 'now'>

/** One query for each relation, whatever the number of codebases. */
export async function codebaseRecords(rows: readonly TypedRow<'codebase'>[], branches: boolean, context: Context) {
  const { views } = context
  const agentIds = [...new Set(rows.flatMap((row) => row.columns.agentId ?? []))]
  const ids = rows.map((row) => row.id)
  const [agents, jobs, names] = await Promise.all([
    views.getMany('agent', agentIds),
    activeJobs(agentIds, views),
    branches ? Promise.all(ids.map((id) => branchNames(id, views))) : undefined,
  ])
  return rows.map((row, index) => {
    const agent = row.columns.agentId === undefined ? undefined : agents.get(row.columns.agentId)
    const { agentId: _, createdAt: __, branchCount, ...own } = codebaseType.fromRow(row, context)
    return {
      ...own,
      ...(names ? { branches: names[index] ?? [], branchCount } : {}),
      agent: agent ? agentPart(agent, context) : null,
      activeJob: jobs.get(row.id) ?? null,
    }
  })
}

function agentPart(row: TypedRow<'agent'>, context: Context) {
  const { id, name, hostname, connectionStatus } = agentType.fromRow(row, context)
  return { id, name, hostname, connectionStatus }
}

/** By codebase: the job that runs in one of its worktrees, or else the one that waits longest. */
async function activeJobs(agentIds: readonly string[], views: TypedViews) {
  const jobs = await views.living('job', agentIds)
  const worktrees = await views.getMany(
    'worktree',
    jobs.flatMap(({ columns }) => columns.worktreeId ?? []),
  )
  const byCodebase = Map.groupBy(jobs, ({ columns }) => worktrees.get(columns.worktreeId ?? '')?.columns.scopeId)
  const active = new Map<string, { id: string; kind: unknown; status: string }>()
  for (const [codebaseId, own] of byCodebase) {
    const job = own.find(({ columns }) => columns.status === 'RUNNING') ?? own[0]
    if (codebaseId === undefined || job === undefined) continue
    active.set(codebaseId, { id: job.id, kind: job.init.kind, status: job.columns.status })
  }
  return active
}

async function branchNames(codebaseId: string, views: TypedViews): Promise<unknown> {
  const [member] = await views.members(codebaseId, 'branches', 1)
  return member?.value ?? []
}
