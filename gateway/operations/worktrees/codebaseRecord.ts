/** A codebase as REST returns it: its own fields, its agent, and the job that executes in one of its worktrees. */

import type { TypedRow } from '../../../machines/rows.ts'
import { codebaseMembers } from '../../../machines/worktrees/codebaseKeys.ts'
import { canonicalName, splitCanonicalName } from '../../../spec/worktrees/repositoryName.ts'
import { agentType } from '../agents/agents.ts'
import type { RequestContext } from '../requestContext.ts'
import type { TypedViews } from '../typedViews.ts'
import { activeJobs } from './activeJobs.ts'
import { codebaseType } from './codebases.ts'

type Context = Pick<RequestContext, 'views' | 'presence' | 'now' | 'baseUrl'>

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
    const { agentId: _, createdAt: __, repositoryId, branchCount, ...own } = codebaseType.fromRow(row, context)
    return {
      ...own,
      repository: repositoryPart(repositoryId, own.observedOrigin),
      ...(names ? { branches: names[index] ?? [], branchCount } : {}),
      agent: agent ? agentPart(agent, context) : null,
      activeJob: jobPart(jobs.get(row.id)),
    }
  })
}

/** The parts come from the codebase's own row, so no repository is read. */
function repositoryPart(id: string | null, origin: string | null) {
  const name = canonicalName(origin)
  return id === null || name === undefined ? null : { id, ...splitCanonicalName(name) }
}

function agentPart(row: TypedRow<'agent'>, context: Context) {
  const { id, name, hostname, connectionStatus } = agentType.fromRow(row, context)
  return { id, name, hostname, connectionStatus }
}

function jobPart(row: TypedRow<'job'> | undefined) {
  return row === undefined ? null : { id: row.id, kind: row.init.kind, status: row.columns.status }
}

async function branchNames(codebaseId: string, views: TypedViews): Promise<unknown> {
  const [member] = await views.members(codebaseId, codebaseMembers.branches, 1)
  return member?.value ?? []
}
