/** The builds of an app, with links to the crashes and crash reports of each. */
import { graphql, type ResultOf } from '../data/graphql.ts'
import { useOnActorTransition } from '../data/useOnActorTransition.ts'
import { usePagedConnection } from '../data/usePagedList.ts'
import { messages } from '../messages.ts'
import { ForeignText } from '../parts/ForeignText.tsx'
import { ObjectList } from '../parts/lists/ObjectList.tsx'
import { EmptyState } from '../parts/notices/EmptyState.tsx'
import { RelativeTime } from '../parts/RelativeTime.tsx'
import { formatBuild } from './app.ts'

const texts = messages.apps

const buildsQuery = graphql(`query ($after: String, $id: ID!) {
  app(id: $id) { builds(first: 50, after: $after) {
    totalCount pageInfo { hasNextPage endCursor } nodes { version build firstSeenAt }
  } }
}`)

type AppBuild = NonNullable<ResultOf<typeof buildsQuery>['app']>['builds']['nodes'][number]

const getId = ({ version, build }: AppBuild): string => JSON.stringify([version, build])

const filterOf = ({ version, build }: AppBuild): URLSearchParams => new URLSearchParams({ version, build })

export function AppBuilds({ appId }: { readonly appId: string }) {
  const list = usePagedConnection(buildsQuery, ({ app }) => app?.builds, { id: appId }, getId)
  useOnActorTransition(appId, list.refresh)
  return (
    <ObjectList
      label={texts.builds}
      list={list}
      getId={getId}
      isFiltered={false}
      empty={
        <EmptyState title={texts.noBuilds}>
          <p>{texts.noBuildsHint}</p>
        </EmptyState>
      }
      columns={[
        { name: texts.build, render: (build) => <ForeignText text={formatBuild(build)} /> },
        {
          name: messages.crashGroups.title,
          render: (build) => <a href={`/apps/${appId}?${filterOf(build)}`}>{messages.crashGroups.title}</a>,
        },
        {
          name: messages.crashReports.title,
          render: (build) => <a href={`/apps/${appId}/reports?${filterOf(build)}`}>{messages.crashReports.title}</a>,
        },
        { name: texts.firstSeen, isWide: true, render: ({ firstSeenAt }) => <RelativeTime at={firstSeenAt} /> },
      ]}
    />
  )
}
