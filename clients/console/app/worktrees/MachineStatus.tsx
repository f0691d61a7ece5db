/** Tells that the machine of a worktree is not connected, live. Shows nothing while it is. */
import { useState } from 'preact/hooks'
import { graphql, type ResultOf } from '../data/graphql.ts'
import { useSubscription } from '../data/useSubscription.ts'
import { formatParts, messages } from '../messages.ts'
import { formatName } from '../parts/formatName.ts'

const agentSubscription = graphql(
  'subscription ($id: ID!) { agentStatusChanged(agentId: $id) { id name connectionStatus } }',
)

type Agent = ResultOf<typeof agentSubscription>['agentStatusChanged']

export function MachineStatus({ agentId }: { readonly agentId: string }) {
  const [agent, setAgent] = useState<Agent>()
  useSubscription(agentSubscription, { id: agentId }, { onData: (data) => setAgent(data.agentStatusChanged) })
  if (agent === undefined || agent.connectionStatus === 'CONNECTED') return null
  return (
    <p class="notice" role="status">
      {formatParts(messages.worktrees.notConnected, {
        machine: <a href={`/machines/${agent.id}`}>{agent.name}</a>,
        status: formatName(agent.connectionStatus),
      })}
    </p>
  )
}
