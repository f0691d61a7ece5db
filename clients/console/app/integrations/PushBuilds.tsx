/** The builds that a push has requested, with the reason of each that could not be started. */
import { graphql } from '../data/graphql.ts'
import { useOnTransition } from '../data/useOnTransition.ts'
import { useQuery } from '../data/useQuery.ts'
import { format, messages } from '../messages.ts'
import { ErrorMessage } from '../parts/notices/ErrorMessage.tsx'
import { StatusBadge } from '../parts/StatusBadge.tsx'

const texts = messages.integrations.deliveries

const pushBuildsQuery = graphql(`query ($id: ID!) { node(id: $id) { ... on WebhookDelivery {
  pushBuilds { id status buildId problem { message } buildConfigurationId buildConfiguration { name } }
} } }`)

interface PushBuildsProps {
  readonly deliveryId: string
  /** The number of configurations that were not built, because there were too many. */
  readonly omittedCount: number
}

/** Nothing if no configuration builds the branch. */
export function PushBuilds({ deliveryId, omittedCount }: PushBuildsProps) {
  const { data, error, refresh } = useQuery(pushBuildsQuery, { id: deliveryId })
  useOnTransition('PUSH_BUILD', refresh)
  if (error) return <ErrorMessage error={error} retriesAutomatically />
  const pushBuilds = data?.node && 'pushBuilds' in data.node ? data.node.pushBuilds : []
  if (pushBuilds.length === 0) return null
  return (
    <ul class="rows">
      {pushBuilds.map(({ id, status, buildId, buildConfigurationId, buildConfiguration, problem }) => (
        <li key={id}>
          <a
            class="item-name"
            href={buildId === null ? `/build-configurations/${buildConfigurationId}` : `/builds/${buildId}`}
          >
            {buildConfiguration.name}
          </a>
          <StatusBadge status={status} />
          {problem && <span class="hint">{problem.message}</span>}
        </li>
      ))}
      {omittedCount > 0 && <li class="hint">{format(texts.omitted, { count: omittedCount })}</li>}
    </ul>
  )
}
