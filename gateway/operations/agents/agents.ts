import type * as v from 'valibot'
import { health } from '../../../spec/agents/agentClis.ts'
import { clisMax } from '../../../spec/agents/agentSession.ts'
import {
  agentConnection,
  agentQuery,
  agentSchema,
  agentStatusChanged,
  agentsQuery,
  type connectionStatus,
  drainAgent,
  revokeAgent,
} from '../../../spec/agents/agents.ts'
import { setAgentTags } from '../../../spec/agents/agentTags.ts'
import type { ActorEvent } from '../../../spec/core/actor.ts'
import { expecting } from '../../../spec/core/revision.ts'
import { atMost, toDateTime } from '../../../spec/core/types.ts'
import { pageOfRows } from '../core/connections.ts'
import { everyRow } from '../core/everyRow.ts'
import { oneRow } from '../core/oneRow.ts'
import { oneMessage, requireKind } from '../core/replies.ts'
import { requireRow } from '../core/rows.ts'
import { handle } from '../handler.ts'
import type { Additions, ObjectType } from '../objectType.ts'
import type { RequestContext } from '../requestContext.ts'
import { toUsageTotals } from '../runs/usage.ts'
import { touchMachine } from '../tools/touched.ts'
import { readAgentClis } from './agentClis.ts'
import { agentWork, agentWorkForTools } from './agentWork.ts'

const clis = {
  type: 'derived',
  output: atMost(clisMax, health),
  nullable: false,
  description: 'The coding CLIs that are configured on the agent’s machine, with their health.',
  load: async (parents, { views }) =>
    await Promise.all(parents.map((agent) => readAgentClis(agent as v.InferInput<typeof agentSchema>, views))),
} as const satisfies Additions[string]

export const agentType: ObjectType<'agent', typeof agentSchema> = {
  name: 'Agent',
  kind: 'agent',
  schema: agentSchema,
  relations: {
    codebases: {
      type: 'connection',
      target: 'Codebase',
      kind: 'codebase',
      by: 'agentId',
      terminal: false,
      nullable: false,
      description: 'The git repositories on the agent’s machine, newest first.',
    },
    worktrees: {
      type: 'connection',
      target: 'Worktree',
      kind: 'worktree',
      by: 'agentId',
      terminal: false,
      nullable: false,
      description: 'The git worktrees on the agent’s machine, newest first.',
    },
    clis,
    ...agentWork,
  },
  fromRow: (row, { presence }) => {
    const { facts, epoch, connectedAt, drain, tags, usage } = row.context
    const seen = presence.lastSeen(row.id) ?? connectedAt
    return {
      id: row.id,
      name: row.init.name,
      hostname: facts.hostname,
      platform: facts.platform,
      arch: facts.arch,
      version: facts.version,
      connectionStatus: row.columns.status as v.InferOutput<typeof connectionStatus>,
      draining: drain.draining,
      tags: [...(tags?.names ?? [])],
      revision: tags?.revision ?? 1,
      epoch,
      lastSeenAt: seen === null ? null : toDateTime(seen),
      usage: toUsageTotals(usage),
      createdAt: toDateTime(row.createdAt),
    }
  },
}

const toAgent = (id: string, event: ActorEvent, context: RequestContext<'presence'>) =>
  oneMessage({ to: { kind: 'agent', id }, event }, (row) => ({ agent: agentType.fromRow(row, context) }))

export const agentHandlers = [
  handle(agentsQuery, ['views', 'presence'], {
    listCounts: async ({ ids }, { views }) => ({
      items: ids?.length ?? (await views.count({ kind: 'agent', terminal: false })),
    }),
    read: async ({ ids }, context) => {
      const rows = ids
        ? [...(await context.views.getMany('agent', ids)).values()].sort((a, b) => (a.id < b.id ? 1 : -1))
        : await everyRow(context.views, { kind: 'agent', terminal: false, descending: true })
      return rows.filter(({ columns }) => !columns.terminal).map((row) => agentType.fromRow(row, context))
    },
  }),
  handle(agentConnection, ['views', 'presence'], {
    read: async ({ statuses, tags, ...page }, context) => {
      const query = {
        kind: 'agent',
        ...(statuses ? { statuses } : {}),
        ...(tags?.length ? { marks: tags.map((name) => [[`tag ${name}`, 'true'] as const]) } : {}),
      } as const
      return await pageOfRows(context.views, query, page, (row) => agentType.fromRow(row, context))
    },
  }),
  handle(agentQuery, ['views', 'presence'], {
    additions: { clis, ...agentWorkForTools },
    read: oneRow(agentType),
  }),
  handle(drainAgent, ['presence'], {
    touches: ({ agentId }, { views }) => touchMachine(views, agentId, { statuses: ['QUEUED'] }),
    translate: ({ agentId, drain, reason }, context) =>
      toAgent(agentId, { type: drain === false ? 'activate' : 'drain', reason: reason ?? null }, context),
  }),
  handle(setAgentTags, ['presence'], {
    touches: ({ agentId }, { views }) => touchMachine(views, agentId, { statuses: ['QUEUED'] }),
    translate: ({ agentId, tags, expectedRevision }, context) =>
      toAgent(agentId, { type: 'setTags', tags, ...expecting(expectedRevision) }, context),
  }),
  handle(revokeAgent, ['presence'], {
    touches: ({ agentId }, { views }) => touchMachine(views, agentId, { terminal: false }),
    translate: ({ agentId, reason }, context) => toAgent(agentId, { type: 'revoke', reason: reason ?? null }, context),
  }),
  handle(agentStatusChanged, ['views', 'presence'], {
    follow: async ({ agentId }, { views }) => {
      if (agentId) await requireRow(views, 'agent', agentId)
      return { type: 'rows', kind: 'agent', where: agentId ? { id: agentId } : {}, initial: 'all' }
    },
    payload: (item, _input, context) =>
      item.type === 'row' ? agentType.fromRow(requireKind('agent', item.row), context) : undefined,
  }),
]
