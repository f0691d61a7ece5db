import type * as v from 'valibot'
import { agentMembers } from '../../../machines/agents/agentKeys.ts'
import type { TypedRow } from '../../../machines/rows.ts'
import { agentCliHealth, type health } from '../../../spec/agents/agentClis.ts'
import type { agentSchema } from '../../../spec/agents/agents.ts'
import { toDateTime } from '../../../spec/core/types.ts'
import { pageOfList, positionOfText } from '../core/computedConnection.ts'
import { everyRow } from '../core/everyRow.ts'
import { requireRow } from '../core/rows.ts'
import { handle } from '../handler.ts'
import type { TypedViews } from '../typedViews.ts'

type Health = v.InferInput<typeof health>

interface Reported {
  readonly name: string
  readonly protocol: Health['protocol']
  readonly version?: string | null
  readonly healthy: boolean
  readonly problem?: string | null
  readonly signIn?: Health['signIn'] | null
  readonly since?: number
}

/** All statuses but REVOKED. */
const notRevoked = ['PENDING', 'CONNECTED', 'DISCONNECTED', 'LOST'] as const

/** The number of agents whose CLIs are read concurrently. */
const atOnce = 100

export async function readAgentClis(
  { id, name, connectionStatus: status }: Pick<v.InferInput<typeof agentSchema>, 'id' | 'name' | 'connectionStatus'>,
  views: TypedViews,
): Promise<Health[]> {
  const [member] = await views.members(id, agentMembers.clis, 1)
  return ((member?.value ?? []) as readonly Reported[]).map((cli) => ({
    agentId: id,
    agentName: name,
    connectionStatus: status,
    name: cli.name,
    protocol: cli.protocol,
    version: cli.version ?? null,
    healthy: cli.healthy,
    problem: cli.problem ?? null,
    since: cli.since === undefined ? null : toDateTime(cli.since),
    signIn: cli.signIn ?? 'UNKNOWN',
    usable: cli.healthy && status === 'CONNECTED',
  }))
}

const namesOf = ({ id, init, columns }: TypedRow<'agent'>) => ({
  id,
  name: init.name,
  connectionStatus: columns.status as Health['connectionStatus'],
})

const rank = ({ healthy, usable }: Health): number => (usable ? 2 : healthy ? 1 : 0)

/**
 * Orders unhealthy CLIs first, then healthy ones whose agent is not connected, then usable ones. Within each group, the CLI whose health has
 * changed least recently comes first.
 */
function worstFirst(a: Health, b: Health): number {
  return (
    rank(a) - rank(b) ||
    compare(a.since ?? '', b.since ?? '') ||
    compare(a.agentName, b.agentName) ||
    compare(a.name, b.name)
  )
}

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)

export const agentCliHandlers = [
  handle(agentCliHealth, ['views'], {
    read: async ({ agentId, ...page }, { views }) => {
      const agents = agentId
        ? [await requireRow(views, 'agent', agentId)]
        : await everyRow(views, { kind: 'agent', statuses: notRevoked, descending: true })
      const clis: Health[] = []
      for (let from = 0; from < agents.length; from += atOnce) {
        const part = agents.slice(from, from + atOnce)
        clis.push(...(await Promise.all(part.map((agent) => readAgentClis(namesOf(agent), views)))).flat())
      }
      return pageOfList(clis.sort(worstFirst), page, ({ agentId: id, name }) => positionOfText(`${id} ${name}`))
    },
  }),
]
