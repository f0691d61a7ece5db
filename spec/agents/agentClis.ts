/** The coding CLIs on managed machines, with their health. */

import * as v from 'valibot'
import { connectionOf, pageArguments } from '../core/connections.ts'
import { query } from '../core/operation.ts'
import { dateTime, id, idOf, named } from '../core/types.ts'
import { cliProtocol, cliSignIn } from './agentSession.ts'
import { connectionStatus } from './agents.ts'

export const health = named(
  'AgentCliHealth',
  'A coding CLI on a machine, as the agent last reported it.',
  v.object({
    agentId: id,
    agentName: v.string(),
    connectionStatus,
    name: v.string(),
    protocol: cliProtocol,
    version: v.nullable(v.string()),
    healthy: v.pipe(v.boolean(), v.description('Whether the coding CLI answered when its agent last tested it.')),
    problem: v.pipe(
      v.nullable(v.string()),
      v.description('The reason why the coding CLI is not healthy. Null if it is healthy.'),
    ),
    since: v.pipe(
      v.nullable(dateTime),
      v.description('The time of the first report of this health. Null if it is not known.'),
    ),
    signIn: cliSignIn,
    usable: v.pipe(v.boolean(), v.description('Whether the coding CLI is healthy and its agent is connected.')),
  }),
)

export const agentCliHealth = query({
  name: 'agentCliHealth',
  description:
    'Returns the coding CLIs of all agents that are not revoked, or of one agent. Those that do not work come first.',
  access: 'people',
  cost: 100,
  tool: {
    group: 'discovery',
    name: 'get_agent_cli_health',
    title: 'Get the health of coding CLIs',
    description:
      'Returns the coding CLIs (Claude Code, Codex, Gemini CLI …) of each managed machine: version, and whether each works. ' +
      'Those that do not work come first, with the `problem`. One that is `SIGNED_OUT` needs a sign-in on its machine. Use it before `create_agent_run`, whose `cli` takes a `name` ' +
      'from this list, or if a run fails at once. An agent without a coding CLI is not in the list.',
  },
  input: v.object({
    agentId: v.pipe(v.nullish(idOf('agent')), v.description('Returns only the coding CLIs of this agent.')),
    first: pageArguments.first,
    after: pageArguments.after,
  }),
  output: connectionOf('AgentCliHealth', health),
})
