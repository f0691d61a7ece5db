/** The crash reports of an app, filtered by build and status, updated live. */
import { crashStatuses } from '../../../../../spec/apps/crashReports.ts'
import { graphql, type ResultOf } from '../../data/graphql.ts'
import { useOnTransition } from '../../data/useOnTransition.ts'
import { usePagedList } from '../../data/usePagedList.ts'
import { messages } from '../../messages.ts'
import { ForeignText } from '../../parts/ForeignText.tsx'
import { ObjectList } from '../../parts/lists/ObjectList.tsx'
import type { Column } from '../../parts/lists/ObjectTable.tsx'
import { StatusChoice, useStatusFilter } from '../../parts/lists/StatusFilter.tsx'
import { EmptyState } from '../../parts/notices/EmptyState.tsx'
import { RelativeTime } from '../../parts/RelativeTime.tsx'
import { setFilters } from '../../router.ts'
import { BuildFilter, useBuildFilter } from '../BuildFilter.tsx'
import { UploadGuide } from '../UploadGuide.tsx'
import { buildColumn, statusColumn, systemColumn } from './reportColumns.tsx'

const texts = messages.crashReports

const reportsQuery =
  graphql(`query ($after: String, $appId: ID!, $version: String, $build: String, $statuses: [CrashReportStatus!]) {
  crashReports(first: 30, after: $after, appId: $appId, version: $version, build: $build, statuses: $statuses) {
    totalCount pageInfo { hasNextPage endCursor }
    nodes { id status exceptionType exceptionReason version build osName osVersion deviceModel happenedAt }
  }
}`)

type CrashReportItem = ResultOf<typeof reportsQuery>['crashReports']['nodes'][number]

const columns: readonly Column<CrashReportItem>[] = [
  {
    name: texts.exception,
    render: ({ id, exceptionType, exceptionReason }) => (
      <>
        <a class="item-name" href={`/crash-reports/${id}`}>
          <ForeignText text={exceptionType} />
        </a>
        {exceptionReason !== null && (
          <p class="hint clamped">
            <ForeignText text={exceptionReason} />
          </p>
        )}
      </>
    ),
  },
  statusColumn,
  buildColumn,
  systemColumn,
  { name: texts.crashed, isWide: true, render: ({ happenedAt }) => <RelativeTime at={happenedAt} /> },
]

export function AppCrashReports({ appId }: { readonly appId: string }) {
  const status = useStatusFilter(crashStatuses)
  const ofBuild = useBuildFilter()
  const { version = null, build = null } = ofBuild ?? {}
  const filters = { appId, version, build, statuses: status === null ? null : [status] }
  const list = usePagedList(reportsQuery, 'crashReports', filters, ({ id }) => id, { pauseMs: 1_000 })
  useOnTransition('CRASH_REPORT', list.refresh)
  return (
    <>
      <search class="filters">
        <BuildFilter appId={appId} />
        <StatusChoice statuses={crashStatuses} />
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
        columns={columns}
      />
    </>
  )
}
