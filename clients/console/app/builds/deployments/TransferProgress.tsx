/** The transfer of a deployment's file while it is active. */
import { graphql } from '../../data/graphql.ts'
import { useOnActorTransition } from '../../data/useOnActorTransition.ts'
import { useQuery } from '../../data/useQuery.ts'
import { format, messages } from '../../messages.ts'
import { formatBytes } from '../../parts/formatBytes.ts'
import { StatusBadge } from '../../parts/StatusBadge.tsx'

const texts = messages.deployments

const transferQuery = graphql('query ($id: ID!) { deployment(id: $id) { transfer { status size receivedBytes } } }')

interface TransferProgressProps {
  readonly deploymentId: string
  readonly transferId: string
}

export function TransferProgress({ deploymentId, transferId }: TransferProgressProps) {
  const { data, refresh } = useQuery(transferQuery, { id: deploymentId })
  useOnActorTransition(transferId, refresh)
  const transfer = data?.deployment?.transfer
  if (!transfer) return null
  const { status, size, receivedBytes } = transfer
  return (
    <div class="field">
      <label for="transfer">
        {texts.transfer} <StatusBadge status={status} />
      </label>
      <progress id="transfer" max={size} value={receivedBytes} />
      <p class="hint">{format(texts.transferred, { received: formatBytes(receivedBytes), size: formatBytes(size) })}</p>
    </div>
  )
}
