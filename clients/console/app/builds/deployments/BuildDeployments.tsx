/** The deployments of a build, and the dialog that deploys it. */
import { graphql } from '../../data/graphql.ts'
import { useOnTransition } from '../../data/useOnTransition.ts'
import { usePagedList } from '../../data/usePagedList.ts'
import { format, messages } from '../../messages.ts'
import { ActionButton } from '../../parts/forms/ActionButton.tsx'
import { ObjectList } from '../../parts/lists/ObjectList.tsx'
import { RelativeTime } from '../../parts/RelativeTime.tsx'
import { StatusBadge } from '../../parts/StatusBadge.tsx'
import { useDialog } from '../../state/dialogStore.ts'
import type { Build } from '../build.ts'
import { DeployDialog } from './DeployDialog.tsx'
import { describeDestination } from './deployment.ts'

const texts = messages.deployments

const deploymentsQuery = graphql(`query ($after: String, $buildId: ID!) {
  deployments(first: 20, after: $after, buildId: $buildId) {
    totalCount
    nodes { id displayNumber status artifactPath destination { kind name } targetAgent { id name } createdAt }
    pageInfo { hasNextPage endCursor }
  }
}`)

export function BuildDeployments({ build }: { readonly build: Build }) {
  const { dialog, open, close } = useDialog<'deploy'>()
  const list = usePagedList(deploymentsQuery, 'deployments', { buildId: build.id }, ({ id }) => id, { pauseMs: 1_000 })
  useOnTransition('DEPLOYMENT', list.refresh)
  const canDeploy = build.status === 'SUCCEEDED' || build.status === 'RUNNING'
  if (!canDeploy && list.items?.length === 0) return null
  return (
    <section aria-labelledby="deployments">
      <h2 id="deployments">{texts.title}</h2>
      {canDeploy && (
        <div class="run-actions">
          <ActionButton onClick={() => open('deploy')}>{texts.deploy}</ActionButton>
        </div>
      )}
      {list.items?.length !== 0 && (
        <ObjectList
          label={texts.title}
          list={list}
          getId={({ id }) => id}
          isFiltered={false}
          empty={null}
          columns={[
            {
              name: texts.destination,
              render: ({ id, displayNumber, destination, artifactPath }) => (
                <>
                  <a class="item-name" href={`/deployments/${id}`}>
                    {format(texts.deployment, { number: displayNumber })}
                  </a>
                  <p class="hint">
                    {describeDestination(destination)} {artifactPath !== null && <code>{artifactPath}</code>}
                  </p>
                </>
              ),
            },
            { name: messages.parts.filters.status, render: ({ status }) => <StatusBadge status={status} /> },
            {
              name: texts.machine,
              isWide: true,
              render: ({ targetAgent }) => <a href={`/machines/${targetAgent.id}`}>{targetAgent.name}</a>,
            },
            {
              name: messages.builds.created,
              isWide: true,
              render: ({ createdAt }) => <RelativeTime at={createdAt} />,
            },
          ]}
        />
      )}
      {dialog && <DeployDialog build={build} onClose={close} />}
    </section>
  )
}
