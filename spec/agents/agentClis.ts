/** The coding CLIs on managed machines, and whether they are well. */

import * as v from 'valibot'
import { connectionOf, pageArguments } from '../core/connections.ts'
import { query } from '../core/operation.ts'
import { dateTime, id, idOf, named } from '../core/types.ts'
import { cliProtocol } from './agentSession.ts'
import { connectionStatus } from './agents.ts'

export const health = named(
  'AgentCliHealth',
  'A coding CLI on a machine, as its agent last reported it.',
  v.object({
    agentId: id,
    agentName: v.string(),
    connectionStatus,
    name: v.string(),
    protocol: cliProtocol,
    version: v.nullable(v.string()),
    healthy: v.pipe(v.boolean(), v.description('It answered when its agent last tried it.')),
    problem: v.pipe(v.nullable(v.string()), v.description('Why it is not healthy.')),
    since: v.pipe(
      v.nullable(dateTime),
      v.description('When it was first reported as it is now; null where that is not known.'),
    ),
    usable: v.pipe(v.boolean(), v.description('It is healthy, and its agent is connected.')),
  }),
)

export const agentCliHealth = query({
  name: 'agentCliHealth',
  description:
    'The coding CLIs of all agents that are not revoked, or of one agent. Those that do not work come first.',
  access: 'people',
  cost: 100,
  tool: {
    group: 'discovery',
    name: 'get_agent_cli_health',
    title: 'Get the health of coding CLIs',
    description:
      'Says which coding CLIs (Claude Code, Codex, Gemini CLI …) each managed machine has, their versions, and whether they work: ' +
      'those that do not come first, with the `problem`. Ask before `create_agent_run`, whose `cli` takes a `name` of these, or ' +
      'when a run fails at once. An agent without any is not in the list.',
  },
  input: v.object({
    agentId: v.pipe(v.nullish(idOf('agent')), v.description('Only those of this agent.')),
    first: pageArguments.first,
    after: pageArguments.after,
  }),
  output: connectionOf('AgentCliHealth', health),
})
