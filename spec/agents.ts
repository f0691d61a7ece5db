/** Agents as people see them. */

import * as v from 'valibot'
import type { ActorEvent } from './actor.ts'
import { agentWork } from './agentWork.ts'
import { connectionOf, pageArguments, pageOfRows } from './connections.ts'
import { countOf } from './countOf.ts'
import { everyRow } from './everyRow.ts'
import { memberOf } from './members.ts'
import { oneById } from './oneById.ts'
import { type MessageContext, mutation, type ObjectType, query, subscription } from './operation.ts'
import { oneMessage } from './replies.ts'
import { contextOf, initOf, requireRow } from './rows.ts'
import { theRunsWhere } from './tools/touched.ts'
import { dateTime, id, idOf, int, json, named, text, toDateTime } from './types.ts'

export const connectionStatus = named(
  'AgentConnectionStatus',
  'How an agent stands. LOST: not heard from for 180 s. DISCONNECTED: its socket is closed, or no heartbeat for 45 s.',
  v.picklist(['PENDING', 'CONNECTED', 'DISCONNECTED', 'LOST', 'REVOKED']),
)

export const agentSchema = named(
  'Agent',
  'The program on a managed machine that carries out the work.',
  v.object({
    id,
    name: v.string(),
    hostname: v.string(),
    platform: v.string(),
    arch: v.string(),
    version: v.string(),
    connectionStatus,
    draining: v.pipe(v.boolean(), v.description('It takes no new top-level runs.')),
    epoch: v.pipe(int, v.description('Raised with each connection.')),
    lastSeenAt: v.nullable(dateTime),
    createdAt: dateTime,
  }),
)

interface Facts {
  readonly hostname: string
  readonly platform: string
  readonly arch: string
  readonly version: string
}

const clis = {
  type: 'derived',
  output: v.array(json),
  nullable: false,
  description: 'The coding CLIs configured on its machine, with their health.',
  load: memberOf('clis', []),
} as const

export const agentType: ObjectType<typeof agentSchema> = {
  name: 'Agent',
  kind: 'agent',
  schema: agentSchema,
  relations: {
    codebases: {
      type: 'many',
      target: 'Codebase',
      kind: 'codebase',
      by: 'agentId',
      limit: 100,
      terminal: false,
      nullable: false,
      description:
        'The git repositories found on its machine: the newest 100. The query `codebases` gives all, page by page.',
    },
    codebaseCount: countOf(
      { kind: 'codebase', by: 'agentId', terminal: false },
      'How many git repositories are known on its machine.',
    ),
    clis,
    ...agentWork,
  },
  fromRow: (row, { presence }) => {
    const { facts, epoch, connectedAt, drain } = contextOf<{
      facts: Facts
      epoch: number
      connectedAt: number | null
      drain: { draining: boolean }
    }>(row)
    const seen = presence.lastSeen(row.id) ?? connectedAt
    return {
      id: row.id,
      name: initOf<{ name: string }>(row).name,
      hostname: facts.hostname,
      platform: facts.platform,
      arch: facts.arch,
      version: facts.version,
      connectionStatus: row.columns.status as v.InferOutput<typeof connectionStatus>,
      draining: drain.draining,
      epoch,
      lastSeenAt: seen === null ? null : toDateTime(seen),
      createdAt: toDateTime(row.createdAt),
    }
  },
}

const agentsQuery = query({
  name: 'agents',
  description:
    'Every agent that is not revoked, newest first. `agentConnection` gives them page by page, and revoked ones with `statuses: [REVOKED]`.',
  access: 'people',
  input: v.object({
    ids: v.pipe(
      v.nullish(v.pipe(v.array(idOf('agent')), v.maxLength(100))),
      v.description('Only these. One that does not exist, or was revoked, is left out.'),
    ),
  }),
  output: v.array(agentSchema),
  rows: ({ ids }, { views }) => ids?.length ?? views.count({ kind: 'agent', terminal: false }),
  read: async ({ ids }, context) => {
    const rows = ids
      ? [...(await context.views.getMany(ids)).values()].sort((a, b) => (a.id < b.id ? 1 : -1))
      : await everyRow(context.views, { kind: 'agent', terminal: false, descending: true })
    return rows.filter(({ columns }) => !columns.terminal).map((row) => agentType.fromRow(row, context))
  },
})

const agentConnection = query({
  name: 'agentConnection',
  description: 'Agents, newest first.',
  access: 'people',
  tool: {
    group: 'agents',
    name: 'get_agents',
    title: 'List agents',
    description:
      'Lists the managed machines, newest first: name, host, whether each is connected or draining. Filter by `statuses`; ' +
      'go on with `after: pageInfo.endCursor`. A run needs a CONNECTED agent to begin; `get_agent_cli_health` says with which ' +
      'coding CLIs.',
  },
  input: v.object({
    ...pageArguments,
    statuses: v.pipe(
      v.nullish(v.pipe(v.array(connectionStatus), v.maxLength(5))),
      v.description('Only agents that stand so.'),
    ),
  }),
  output: connectionOf('Agent', agentSchema),
  read: async ({ statuses, ...page }, context) =>
    await pageOfRows(context.views, { kind: 'agent', ...(statuses ? { statuses } : {}) }, page, (row) =>
      agentType.fromRow(row, context),
    ),
})

const agentQuery = oneById(agentType, {
  group: 'agents',
  name: 'get_agent',
  title: 'Get an agent',
  description:
    'One managed machine: whether it is connected or draining, when it was last heard of, its coding CLIs (`clis`), what it does ' +
    '(`jobs`) and how its machine bears that (`vitals`). Its ' +
    'checkouts come from `get_codebases`, its runs from `get_runs` with `agentId`.',
  additions: { clis, ...agentWork },
})

const agentPayload = (typeName: string) =>
  named(typeName, 'The agent after the change.', v.object({ agent: agentSchema }))

const toAgent = (id: string, event: ActorEvent, context: MessageContext) =>
  oneMessage({ to: { kind: 'agent', id }, event }, (row) => ({ agent: agentType.fromRow(row, context) }))

const drainAgent = mutation({
  name: 'drainAgent',
  description:
    'Lets the agent finish its work and gives it no new top-level runs; with `drain: false` it takes them again.',
  access: 'people',
  tool: {
    group: 'agents',
    title: 'Drain an agent',
    description:
      'Lets the agent finish what it has begun and gives it no new top-level runs: before its machine is updated, say. Its queued ' +
      'runs wait. `drain: false` ends the drain.',
    idempotent: true,
    touches: ({ agentId }, { views }) => theRunsWhere(views, { where: { agentId }, statuses: ['QUEUED'] }),
  },
  input: v.object({
    agentId: idOf('agent'),
    drain: v.pipe(v.nullish(v.boolean()), v.description('false: it takes new runs again. Default: true.')),
    reason: v.pipe(v.nullish(text({ max: 500 })), v.description('Is kept in the agent’s history.')),
  }),
  output: agentPayload('DrainAgentPayload'),
  translate: ({ agentId, drain, reason }, context) =>
    toAgent(agentId, { type: drain === false ? 'activate' : 'drain', reason: reason ?? null }, context),
})

const revokeAgent = mutation({
  name: 'revokeAgent',
  description: 'Ends the agent for good: its credential, its queued runs (CANCELED) and its live ones (LOST).',
  access: 'people',
  tool: {
    group: 'agents',
    title: 'Revoke an agent',
    description:
      'Ends the agent for good: its credential, its queued runs (CANCELED) and its live ones (LOST). It can’t be taken back: the ' +
      'machine has to enrol anew. To let it finish its work first, use `drain_agent`.',
    destroys: true,
    idempotent: true,
    touches: ({ agentId }, { views }) => theRunsWhere(views, { where: { agentId }, terminal: false }),
  },
  input: v.object({
    agentId: idOf('agent'),
    reason: v.pipe(v.nullish(text({ max: 500 })), v.description('Is kept in the agent’s history.')),
  }),
  output: agentPayload('RevokeAgentPayload'),
  translate: ({ agentId, reason }, context) => toAgent(agentId, { type: 'revoke', reason: reason ?? null }, context),
})

const agentStatusChanged = subscription({
  name: 'agentStatusChanged',
  description: 'Agents as they change; the ones asked for as they are now come first.',
  access: 'people',
  input: v.object({ agentId: v.nullish(idOf('agent')) }),
  output: agentSchema,
  follow: async ({ agentId }, { views }) => {
    if (agentId) await requireRow(views, 'agent', agentId)
    return { type: 'rows', kind: 'agent', where: agentId ? { id: agentId } : {}, initial: 'all' }
  },
  payload: (item, _input, context) => (item.type === 'row' ? agentType.fromRow(item.row, context) : undefined),
})

export const agentOperations = [agentsQuery, agentConnection, agentQuery, drainAgent, revokeAgent, agentStatusChanged]
