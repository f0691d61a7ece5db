/** The last pushes that a configuration was to build, with the build of each, or the reason why it could not be started. */
import { graphql } from '../../data/graphql.ts'
import { useOnTransition } from '../../data/useOnTransition.ts'
import { useQuery } from '../../data/useQuery.ts'
import { format, messages } from '../../messages.ts'
import { RelativeTime } from '../../parts/RelativeTime.tsx'
import { StatusBadge } from '../../parts/StatusBadge.tsx'

const pushesQuery = graphql(`query ($id: ID!) { pushBuilds(first: 5, buildConfigurationId: $id) {
  nodes { id status branch commit createdAt buildId integrationId webhookDeliveryId problem { message } }
} }`)

/** Nothing before the first push. */
export function RecentPushes({ id }: { readonly id: string }) {
  const { data, refresh } = useQuery(pushesQuery, { id })
  useOnTransition('PUSH_BUILD', refresh)
  const pushes = data?.pushBuilds.nodes ?? []
  if (pushes.length === 0) return null
  return (
    <>
      <h2>{messages.buildConfigurations.pushes}</h2>
      <ul class="rows">
        {pushes.map(({ id: pushId, status, branch, commit, createdAt, ...push }) => (
          <li key={pushId}>
            <a
              class="item-name"
              href={
                push.buildId === null
                  ? `/settings/integrations/${push.integrationId}?delivery=${push.webhookDeliveryId}`
                  : `/builds/${push.buildId}`
              }
            >
              {format(messages.builds.pushOf, { branch, commit: commit.slice(0, 9) })}
            </a>
            <StatusBadge status={status} />
            <span class="hint">
              <RelativeTime at={createdAt} />
              {push.problem && ` · ${push.problem.message}`}
            </span>
          </li>
        ))}
      </ul>
    </>
  )
}
