/** A codebase as REST shows it: its own fields, its agent, and the job that works in one of its worktrees now. */
import type { ActorRow } from '../../spec/actor.ts'
import { agentType } from '../../spec/agents.ts'
import { codebaseType } from '../../spec/codebases.ts'
import type { RequestContext } from '../../spec/operation.ts'
import type { Views } from '../../spec/views.ts'

type Context = Pick<RequestContext, 'views' | 'presence' | 'now'>

const worktreesOfOne = 100
const jobsOfOne = 20

/** One query for each relation, whatever the number of codebases. */
export async function codebaseRecords(rows: readonly ActorRow[], branches: boolean, context: Context) {
  const { views } = context
  const agentIds = [...new Set(rows.flatMap((row) => row.columns.agentId ?? []))]
  const ids = rows.map((row) => row.id)
  const [agents, jobs, names] = await Promise.all([
    views.getMany(agentIds),
    activeJobs(ids, views),
    branches ? Promise.all(ids.map((id) => branchNames(id, views))) : undefined,
  ])
  return rows.map((row, index) => {
    const agent = row.columns.agentId === undefined ? undefined : agents.get(row.columns.agentId)
    const { agentId: _, createdAt: __, ...own } = codebaseType.fromRow(row, context)
    return {
      ...own,
      ...(names ? { branches: names[index] ?? [] } : {}),
      agent: agent ? agentPart(agent, context) : null,
      activeJob: jobs.get(row.id) ?? null,
    }
  })
}

function agentPart(row: ActorRow, context: Context) {
  const { id, name, hostname, connectionStatus } = agentType.fromRow(row, context)
  return { id, name, hostname, connectionStatus }
}

async function activeJobs(codebaseIds: readonly string[], views: Views) {
  const worktrees = await views.listByScope('worktree', 'scopeId', codebaseIds, worktreesOfOne)
  const worktreeIds = [...worktrees.values()].flat().map((row) => row.id)
  const jobs = await views.listByScope('job', 'worktreeId', worktreeIds, jobsOfOne)
  const active = new Map<string, { id: string; kind: unknown; status: string }>()
  for (const [codebaseId, own] of worktrees) {
    const live = own.flatMap((worktree) => jobs.get(worktree.id) ?? []).find((job) => !job.columns.terminal)
    if (live) active.set(codebaseId, { id: live.id, kind: live.init.kind, status: live.columns.status })
  }
  return active
}

async function branchNames(codebaseId: string, views: Views): Promise<unknown> {
  const [member] = await views.members(codebaseId, 'branches', 1)
  return member?.value ?? []
}
