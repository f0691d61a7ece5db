/** All apps, updated live. */
import { appStatuses } from '../../../../spec/apps/apps.ts'
import { graphql, type ResultOf } from '../data/graphql.ts'
import { useOnTransition } from '../data/useOnTransition.ts'
import { usePagedList } from '../data/usePagedList.ts'
import { formatNumber, messages } from '../messages.ts'
import { ForeignText } from '../parts/ForeignText.tsx'
import { ActionButton } from '../parts/forms/ActionButton.tsx'
import { ObjectList } from '../parts/lists/ObjectList.tsx'
import type { Column } from '../parts/lists/ObjectTable.tsx'
import { StatusFilter, useStatusFilter } from '../parts/lists/StatusFilter.tsx'
import { EmptyState } from '../parts/notices/EmptyState.tsx'
import { RelativeTime } from '../parts/RelativeTime.tsx'
import { StatusBadge } from '../parts/StatusBadge.tsx'
import { useDocumentTitle } from '../parts/useDocumentTitle.ts'
import { useDialog } from '../state/dialogStore.ts'
import { AreaTabs } from './AreaTabs.tsx'
import { countWaiting, formatBuild } from './app.ts'
import { NewAppDialog } from './NewAppDialog.tsx'
import { UploadGuide } from './UploadGuide.tsx'

const texts = messages.apps

const appsQuery = graphql(`query ($after: String, $statuses: [AppStatus!]) {
  apps(first: 30, after: $after, statuses: $statuses) {
    totalCount pageInfo { hasNextPage endCursor }
    nodes { id bundleIdentifier name status createdAt crashReportCounts { status count } builds(first: 1) { nodes { version build } } }
  }
}`)

type AppItem = ResultOf<typeof appsQuery>['apps']['nodes'][number]

const columns: readonly Column<AppItem>[] = [
  {
    name: texts.app,
    render: ({ id, name, bundleIdentifier }) => (
      <>
        <a class="item-name" href={`/apps/${id}`}>
          <ForeignText text={name} />
        </a>
        <p class="hint">{bundleIdentifier}</p>
      </>
    ),
  },
  { name: messages.parts.filters.status, render: ({ status }) => <StatusBadge status={status} /> },
  { name: texts.waiting, render: ({ crashReportCounts }) => formatNumber(countWaiting(crashReportCounts)) },
  {
    name: texts.latestBuild,
    isWide: true,
    render: ({ builds: { nodes } }) => (nodes[0] ? <ForeignText text={formatBuild(nodes[0])} /> : '–'),
  },
  { name: texts.created, isWide: true, render: ({ createdAt }) => <RelativeTime at={createdAt} /> },
]

export function AppsPage() {
  useDocumentTitle([texts.title])
  const status = useStatusFilter(appStatuses)
  const statuses = status === null ? null : [status]
  const list = usePagedList(appsQuery, 'apps', { statuses }, ({ id }) => id, { pauseMs: 1_000 })
  useOnTransition('APP', list.refresh)
  useOnTransition('CRASH_REPORT', list.refresh)
  const { dialog, open, close } = useDialog<'new'>()
  return (
    <section>
      <div class="heading-row">
        <h1>{texts.title}</h1>
        <ActionButton look="primary" onClick={() => open('new')}>
          {texts.create}
        </ActionButton>
      </div>
      <AreaTabs current="/apps" />
      <StatusFilter statuses={appStatuses} />
      <ObjectList
        label={texts.title}
        list={list}
        getId={({ id }) => id}
        isFiltered={status !== null}
        empty={
          <EmptyState title={texts.none}>
            <p>{texts.noneHint}</p>
            <UploadGuide />
          </EmptyState>
        }
        columns={columns}
      />
      {dialog && <NewAppDialog onClose={close} />}
    </section>
  )
}
