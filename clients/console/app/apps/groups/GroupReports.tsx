/** The crash reports of a group. The report that was received last comes first. */
import { graphql, type ResultOf } from '../../data/graphql.ts'
import { useOnActorTransition } from '../../data/useOnActorTransition.ts'
import { usePagedList } from '../../data/usePagedList.ts'
import { messages } from '../../messages.ts'
import { ObjectList } from '../../parts/lists/ObjectList.tsx'
import type { Column } from '../../parts/lists/ObjectTable.tsx'
import { EmptyState } from '../../parts/notices/EmptyState.tsx'
import { RelativeTime } from '../../parts/RelativeTime.tsx'
import { buildColumn, statusColumn, systemColumn } from '../reports/reportColumns.tsx'

const texts = messages.crashReports

const reportsQuery = graphql(`query ($after: String, $groupId: ID!) {
  crashReports(first: 20, after: $after, groupId: $groupId) {
    totalCount pageInfo { hasNextPage endCursor }
    nodes { id status version build osName osVersion deviceModel happenedAt }
  }
}`)

type GroupReport = ResultOf<typeof reportsQuery>['crashReports']['nodes'][number]

const columns: readonly Column<GroupReport>[] = [
  {
    name: texts.crashed,
    render: ({ id, happenedAt }) => (
      <a class="item-name" href={`/crash-reports/${id}`}>
        <RelativeTime at={happenedAt} />
      </a>
    ),
  },
  statusColumn,
  buildColumn,
  systemColumn,
]

export function GroupReports({ id }: { readonly id: string }) {
  const list = usePagedList(reportsQuery, 'crashReports', { groupId: id }, (report) => report.id, { pauseMs: 1_000 })
  useOnActorTransition(id, list.refresh)
  return (
    <section aria-labelledby="group-reports">
      <h2 id="group-reports">{texts.title}</h2>
      <ObjectList
        label={texts.title}
        list={list}
        getId={(report) => report.id}
        isFiltered={false}
        empty={<EmptyState title={texts.none} />}
        columns={columns}
      />
    </section>
  )
}
