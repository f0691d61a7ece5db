/** Agents as people see them. */
import * as v from 'valibot'
import { connectionOf, orderByOf, pageArguments } from '../core/connections.ts'
import { oneById } from '../core/oneById.ts'
import { mutation, query, subscription } from '../core/operation.ts'
import { dateTime, id, idOf, int, named, text } from '../core/types.ts'

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

export const agentsQuery = query({
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
})

export const agentConnection = query({
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
    orderBy: orderByOf('Agent', ['CREATED_AT']),
    statuses: v.pipe(
      v.nullish(v.pipe(v.array(connectionStatus), v.maxLength(5))),
      v.description('Only agents that stand so.'),
    ),
  }),
  output: connectionOf('Agent', agentSchema),
})

export const agentQuery = query({
  ...oneById('agent', agentSchema),
  tool: {
    group: 'agents',
    name: 'get_agent',
    title: 'Get an agent',
    description:
      'One managed machine: whether it is connected or draining, when it was last heard of, its coding CLIs (`clis`), what it does ' +
      '(`jobs`) and how its machine bears that (`vitals`). Its ' +
      'checkouts come from `get_codebases`, its runs from `get_runs` with `agentId`.',
  },
})

const agentPayload = (typeName: string) =>
  named(typeName, 'The agent after the change.', v.object({ agent: agentSchema }))

export const drainAgent = mutation({
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
  },
  input: v.object({
    agentId: idOf('agent'),
    drain: v.pipe(v.nullish(v.boolean()), v.description('false: it takes new runs again. Default: true.')),
    reason: v.pipe(v.nullish(text({ max: 500 })), v.description('Is kept in the agent’s history.')),
  }),
  output: agentPayload('DrainAgentPayload'),
})

export const revokeAgent = mutation({
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
  },
  input: v.object({
    agentId: idOf('agent'),
    reason: v.pipe(v.nullish(text({ max: 500 })), v.description('Is kept in the agent’s history.')),
  }),
  output: agentPayload('RevokeAgentPayload'),
})

export const agentStatusChanged = subscription({
  name: 'agentStatusChanged',
  description: 'Agents as they change; the ones asked for as they are now come first.',
  access: 'people',
  input: v.object({ agentId: v.nullish(idOf('agent')) }),
  output: agentSchema,
})
