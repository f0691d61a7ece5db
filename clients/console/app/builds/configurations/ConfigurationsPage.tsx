/** All build configurations, updated live. */
import { graphql } from '../../data/graphql.ts'
import { useOnTransition } from '../../data/useOnTransition.ts'
import { usePagedList } from '../../data/usePagedList.ts'
import { messages } from '../../messages.ts'
import { ObjectList } from '../../parts/lists/ObjectList.tsx'
import { EmptyState } from '../../parts/notices/EmptyState.tsx'
import { RelativeTime } from '../../parts/RelativeTime.tsx'
import { StatusBadge } from '../../parts/StatusBadge.tsx'
import { useDocumentTitle } from '../../parts/useDocumentTitle.ts'
import { clearLibraryFilters, LibraryFilters, useLibraryFilter } from '../../work/library/LibraryFilters.tsx'
import { BuildTabs } from '../BuildTabs.tsx'

const texts = messages.buildConfigurations

const configurationsQuery = graphql(`query ($after: String, $statuses: [BuildConfigurationStatus!], $repositoryId: ID) {
  buildConfigurations(first: 30, after: $after, statuses: $statuses, repositoryId: $repositoryId) {
    totalCount nodes { id name description status version updatedAt repository { id owner name } }
    pageInfo { hasNextPage endCursor }
  }
}`)

export function ConfigurationsPage() {
  useDocumentTitle([messages.builds.tabs.configurations])
  const { statuses, repositoryId, isFiltered } = useLibraryFilter()
  const variables = { statuses, repositoryId }
  const list = usePagedList(configurationsQuery, 'buildConfigurations', variables, ({ id }) => id, { pauseMs: 1_000 })
  useOnTransition('BUILD_CONFIGURATION', list.refresh)
  return (
    <section>
      <div class="heading-row">
        <h1>{messages.builds.tabs.configurations}</h1>
        <a class="primary button-link" href="/build-configurations/new">
          {texts.new}
        </a>
      </div>
      <BuildTabs current="/build-configurations" />
      <LibraryFilters />
      <ObjectList
        label={messages.builds.tabs.configurations}
        list={list}
        getId={({ id }) => id}
        isFiltered={isFiltered}
        onClearFilters={clearLibraryFilters}
        empty={
          <EmptyState title={texts.none}>
            <p>{texts.noneHint}</p>
            <a href="/build-configurations/new">{texts.new}</a>
          </EmptyState>
        }
        columns={[
          {
            name: texts.name,
            render: ({ id, name, description }) => (
              <>
                <a class="item-name" href={`/build-configurations/${id}`}>
                  {name}
                </a>
                {description !== '' && <p class="hint">{description}</p>}
              </>
            ),
          },
          { name: messages.parts.filters.status, render: ({ status }) => <StatusBadge status={status} /> },
          {
            name: texts.repository,
            isWide: true,
            render: ({ repository: { id, owner, name } }) => (
              <a href={`/repositories/${id}`}>
                {owner}/{name}
              </a>
            ),
          },
          { name: messages.work.version, isWide: true, render: ({ version }) => version },
          {
            name: messages.work.updated,
            isWide: true,
            render: ({ updatedAt }) => <RelativeTime at={updatedAt} />,
          },
        ]}
      />
    </section>
  )
}
