/** Tells that the machine of a worktree is not connected, live. Shows nothing while it is. */
import { graphql } from '../data/graphql.ts'
import { useLiveObjects } from '../data/useLiveObjects.ts'
import { formatParts, messages } from '../messages.ts'
import { formatName } from '../parts/formatName.ts'

const agentSubscription = graphql(
  'subscription ($id: ID!) { agentStatusChanged(agentId: $id) { id name connectionStatus } }',
)

export function MachineStatus({ agentId }: { readonly agentId: string }) {
  const agent = useLiveObjects(agentSubscription, 'agentStatusChanged', { id: agentId }).objects.get(agentId)
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
