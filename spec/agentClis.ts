/** The coding CLIs on managed machines, and whether they are well. */

import * as v from 'valibot'
import type { ActorRow } from './actor.ts'
import { cliProtocol } from './agentSession.ts'
import { connectionStatus } from './agents.ts'
import { everyRow } from './everyRow.ts'
import { query } from './operation.ts'
import { initOf, requireRow } from './rows.ts'
import { dateTime, id, idOf, named, toDateTime } from './types.ts'
import type { Views } from './views.ts'

const health = named(
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
type Health = v.InferInput<typeof health>

interface Reported {
  readonly name: string
  readonly protocol: Health['protocol']
  readonly version?: string | null
  readonly healthy: boolean
  readonly problem?: string | null
  readonly since?: number
}

const working = ['PENDING', 'CONNECTED', 'DISCONNECTED', 'LOST'] as const

/** Agents whose CLIs are read at once. */
const atOnce = 100

const agentCliHealth = query({
  name: 'agentCliHealth',
  description:
    'The coding CLIs of all agents that are not revoked, or of one: the worst first. Of the newest 1,000 agents.',
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
  }),
  output: v.array(health),
  read: async ({ agentId }, { views }) => {
    const agents = agentId
      ? [await requireRow(views, 'agent', agentId)]
      : await everyRow(views, { kind: 'agent', statuses: working, descending: true })
    const clis: Health[] = []
    for (let from = 0; from < agents.length; from += atOnce) {
      const part = agents.slice(from, from + atOnce)
      clis.push(...(await Promise.all(part.map((agent) => clisOf(agent, views)))).flat())
    }
    return clis.sort(worstFirst)
  },
})

async function clisOf(agent: ActorRow, views: Views): Promise<Health[]> {
  const [member] = await views.members(agent.id, 'clis', 1)
  const status = agent.columns.status as Health['connectionStatus']
  return ((member?.value ?? []) as readonly Reported[]).map((cli) => ({
    agentId: agent.id,
    agentName: initOf<{ name: string }>(agent).name,
    connectionStatus: status,
    name: cli.name,
    protocol: cli.protocol,
    version: cli.version ?? null,
    healthy: cli.healthy,
    problem: cli.problem ?? null,
    since: cli.since === undefined ? null : toDateTime(cli.since),
    usable: cli.healthy && status === 'CONNECTED',
  }))
}

const rank = ({ healthy, usable }: Health): number => (usable ? 2 : healthy ? 1 : 0)

/** What is broken, then what can't be reached, then what works; the longest so first. */
function worstFirst(a: Health, b: Health): number {
  return (
    rank(a) - rank(b) ||
    compare(a.since ?? '', b.since ?? '') ||
    compare(a.agentName, b.agentName) ||
    compare(a.name, b.name)
  )
}

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)

export const agentCliOperations = [agentCliHealth]
