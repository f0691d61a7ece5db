/** All builds, updated live. */
import { buildStatuses } from '../../../../spec/builds/buildEnums.ts'
import { graphql } from '../data/graphql.ts'
import { useOnTransition } from '../data/useOnTransition.ts'
import { usePagedList } from '../data/usePagedList.ts'
import { messages } from '../messages.ts'
import { ObjectList } from '../parts/lists/ObjectList.tsx'
import { StatusFilter, useStatusFilter } from '../parts/lists/StatusFilter.tsx'
import { EmptyState } from '../parts/notices/EmptyState.tsx'
import { useDocumentTitle } from '../parts/useDocumentTitle.ts'
import { BuildTabs } from './BuildTabs.tsx'
import { buildColumns, rowFragment } from './buildColumns.tsx'

const texts = messages.builds

const buildsQuery = graphql(
  `query ($after: String, $statuses: [BuildStatus!]) {
  builds(first: 30, after: $after, statuses: $statuses) { totalCount nodes { ...BuildRowFields } pageInfo { hasNextPage endCursor } }
}`,
  [rowFragment],
)

export function BuildsPage() {
  useDocumentTitle([texts.tabs.builds])
  const status = useStatusFilter(buildStatuses)
  const statuses = status === null ? null : [status]
  const list = usePagedList(buildsQuery, 'builds', { statuses }, ({ id }) => id, { pauseMs: 1_000 })
  useOnTransition('BUILD', list.refresh)
  return (
    <section>
      <h1>{texts.tabs.builds}</h1>
      <BuildTabs current="/builds" />
      <StatusFilter statuses={buildStatuses} />
      <ObjectList
        label={texts.tabs.builds}
        list={list}
        getId={({ id }) => id}
        isFiltered={status !== null}
        empty={
          <EmptyState title={texts.none}>
            <p>{texts.noneHint}</p>
            <a href="/build-configurations">{texts.tabs.configurations}</a>
          </EmptyState>
        }
        columns={buildColumns}
      />
    </section>
  )
}
