/** Agents as the API returns them. */
import * as v from 'valibot'
import { connectionOf, orderByOf, pageArguments } from '../core/connections.ts'
import { oneById } from '../core/oneById.ts'
import { mutation, query, subscription } from '../core/operation.ts'
import { atMost, dateTime, id, idOf, int, named, text } from '../core/types.ts'
import { usageTotals } from '../runs/usage.ts'

export const connectionStatus = named(
  'AgentConnectionStatus',
  'The connection status of an agent. PENDING: it has not connected yet. DISCONNECTED: its socket is closed, or it sent no heartbeat for 45 s. LOST: it sent no heartbeat for 180 s.',
  v.picklist(['PENDING', 'CONNECTED', 'DISCONNECTED', 'LOST', 'REVOKED']),
)

/** The maximum number of tags of an agent, and of the tags that a build configuration requires. */
export const agentTagsMax = 20

export const agentSchema = named(
  'Agent',
  'The program on a managed machine that executes jobs there.',
  v.object({
    id,
    name: v.string(),
    hostname: v.string(),
    platform: v.string(),
    arch: v.string(),
    version: v.string(),
    connectionStatus,
    draining: v.pipe(v.boolean(), v.description('Whether the agent drains: it starts no new top-level runs.')),
    tags: v.pipe(
      atMost(agentTagsMax, v.string()),
      v.description('The tags that people gave it, in alphabetical order. Build configurations can require them.'),
    ),
    revision: v.pipe(
      int,
      v.description('The number of changes of the tags, from 1. Pass it as `expectedRevision` to `setAgentTags`.'),
    ),
    epoch: v.pipe(int, v.description('The number of the agent’s connection. It grows by one with each connection.')),
    lastSeenAt: v.nullable(dateTime),
    usage: usageTotals,
    createdAt: dateTime,
  }),
)

export const agentsQuery = query({
  name: 'agents',
  description:
    'Returns all agents that are not revoked, newest first. `agentConnection` returns them in pages, and revoked ones with `statuses: [REVOKED]`.',
  access: 'people',
  input: v.object({
    ids: v.pipe(
      v.nullish(v.pipe(v.array(idOf('agent')), v.maxLength(100))),
      v.description('Returns only the agents with these IDs. IDs of revoked or unknown agents are ignored.'),
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
      'Lists the agents of the managed machines, newest first: name, host, whether each is connected or drains. Filter by ' +
      '`statuses` and `tags`. `after: pageInfo.endCursor` continues the list. A run starts only if its agent is CONNECTED. ' +
      '`get_agent_cli_health` returns the coding CLIs of the machines.',
  },
  input: v.object({
    ...pageArguments,
    orderBy: orderByOf('Agent', ['CREATED_AT']),
    statuses: v.pipe(
      v.nullish(v.pipe(v.array(connectionStatus), v.maxLength(5))),
      v.description('Returns only agents with one of these statuses.'),
    ),
    tags: v.pipe(
      v.nullish(v.pipe(v.array(text({ min: 1, max: 50 })), v.maxLength(agentTagsMax))),
      v.description('Returns only agents that have all of these tags. Default: any.'),
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
      'Returns one agent: whether it is connected or drains, the time of its last heartbeat, its coding CLIs (`clis`), its ' +
      'jobs (`jobs`), and the load of its machine (`vitals`). `get_codebases` with `agentId` returns its codebases, and ' +
      '`get_runs` with `agentId` its runs.',
  },
})

const agentPayload = (typeName: string) =>
  named(typeName, 'The agent after the change.', v.object({ agent: agentSchema }))

export const drainAgent = mutation({
  name: 'drainAgent',
  description:
    'Drains an agent: started runs continue, and no new top-level run starts. `drain: false` ends the drain.',
  access: 'people',
  tool: {
    group: 'agents',
    title: 'Drain an agent',
    description:
      'Drains an agent, for example before its machine is updated: started runs continue, and no new top-level run starts. ' +
      'Queued runs wait. `drain: false` ends the drain.',
    idempotent: true,
  },
  input: v.object({
    agentId: idOf('agent'),
    drain: v.pipe(
      v.nullish(v.boolean()),
      v.description('Whether the agent drains. false ends the drain. Default: true.'),
    ),
    reason: v.pipe(v.nullish(text({ max: 500 })), v.description('The reason, stored in the agent’s history.')),
  }),
  output: agentPayload('DrainAgentPayload'),
})

export const revokeAgent = mutation({
  name: 'revokeAgent',
  description:
    'Revokes an agent permanently: its credential is invalid, its queued runs are CANCELED, and its active runs are LOST.',
  access: 'people',
  tool: {
    group: 'agents',
    title: 'Revoke an agent',
    description:
      'Revokes an agent permanently: its credential is invalid, its queued runs are CANCELED, and its active runs are LOST. ' +
      'This cannot be undone: the machine must enroll again. To let the agent finish its work first, use `drain_agent`.',
    destroys: true,
    idempotent: true,
  },
  input: v.object({
    agentId: idOf('agent'),
    reason: v.pipe(v.nullish(text({ max: 500 })), v.description('The reason, stored in the agent’s history.')),
  }),
  output: agentPayload('RevokeAgentPayload'),
})

export const agentStatusChanged = subscription({
  name: 'agentStatusChanged',
  description: 'Sends the current state of one agent or of all agents first, and then each change.',
  access: 'people',
  input: v.object({ agentId: v.nullish(idOf('agent')) }),
  output: agentSchema,
})
