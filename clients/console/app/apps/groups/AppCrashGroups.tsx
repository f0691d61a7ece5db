/** The crashes of an app: its groups of crash reports, filtered by build and status, updated live. */
import { crashGroupStatuses } from '../../../../../spec/apps/crashGroups.ts'
import { graphql, type ResultOf } from '../../data/graphql.ts'
import { useOnTransition } from '../../data/useOnTransition.ts'
import { usePagedList } from '../../data/usePagedList.ts'
import { formatNumber, messages } from '../../messages.ts'
import { ForeignText } from '../../parts/ForeignText.tsx'
import { FilterChoice } from '../../parts/lists/FilterChoice.tsx'
import { ObjectList } from '../../parts/lists/ObjectList.tsx'
import type { Column } from '../../parts/lists/ObjectTable.tsx'
import { StatusChoice, useStatusFilter } from '../../parts/lists/StatusFilter.tsx'
import { EmptyState } from '../../parts/notices/EmptyState.tsx'
import { RelativeTime } from '../../parts/RelativeTime.tsx'
import { setFilters, useFilters } from '../../router.ts'
import { BuildFilter, useBuildFilter } from '../BuildFilter.tsx'
import { statusColumn } from '../reports/reportColumns.tsx'
import { UploadGuide } from '../UploadGuide.tsx'

const texts = messages.crashGroups

const groupsQuery =
  graphql(`query ($after: String, $appId: ID!, $version: String, $build: String, $statuses: [CrashGroupStatus!], $field: CrashGroupOrderField!) {
  crashGroups(
    first: 30, after: $after, appId: $appId, version: $version, build: $build, statuses: $statuses, orderBy: { field: $field, direction: DESC }
  ) {
    totalCount pageInfo { hasNextPage endCursor }
    nodes { id status title exceptionType reportCount lastCrashAt }
  }
}`)

type CrashGroupItem = ResultOf<typeof groupsQuery>['crashGroups']['nodes'][number]

const columnsOf = (reportsName: string): readonly Column<CrashGroupItem>[] => [
  {
    name: texts.crash,
    render: ({ id, title, exceptionType }) => (
      <>
        <a class="item-name" href={`/crash-groups/${id}`}>
          <ForeignText text={title} />
        </a>
        <p class="hint clamped">
          <ForeignText text={exceptionType} />
        </p>
      </>
    ),
  },
  statusColumn,
  { name: reportsName, render: ({ reportCount }) => formatNumber(reportCount) },
  {
    name: texts.lastCrash,
    isWide: true,
    render: ({ lastCrashAt }) => (lastCrashAt === null ? '–' : <RelativeTime at={lastCrashAt} />),
  },
]

export function AppCrashGroups({ appId }: { readonly appId: string }) {
  const status = useStatusFilter(crashGroupStatuses)
  const ofBuild = useBuildFilter()
  const { version = null, build = null } = ofBuild ?? {}
  const { order = '' } = useFilters()
  const filters = {
    appId,
    version,
    build,
    statuses: status === null ? null : [status],
    field: order === 'reports' ? 'REPORT_COUNT' : 'CREATED_AT',
  } as const
  const list = usePagedList(groupsQuery, 'crashGroups', filters, ({ id }) => id, { pauseMs: 1_000 })
  useOnTransition('CRASH_GROUP', list.refresh)
  return (
    <>
      <search class="filters">
        <BuildFilter appId={appId} />
        <StatusChoice statuses={crashGroupStatuses} />
        <FilterChoice
          name="order"
          label={texts.order}
          value={order === 'reports' ? order : ''}
          choices={[
            ['', texts.newestFirst],
            ['reports', texts.mostFirst],
          ]}
        />
      </search>
      <ObjectList
        label={texts.title}
        list={list}
        getId={({ id }) => id}
        isFiltered={status !== null || ofBuild !== undefined}
        onClearFilters={() => setFilters({ status: '', version: '', build: '' })}
        empty={
          <EmptyState title={texts.none}>
            <UploadGuide />
          </EmptyState>
        }
        columns={columnsOf(ofBuild === undefined ? texts.reports : texts.reportsOfAllBuilds)}
      />
    </>
  )
}
