/** All sessions, newest first, updated live. */
import { graphql } from '../../data/graphql.ts'
import { useOnTransition } from '../../data/useOnTransition.ts'
import { usePagedList } from '../../data/usePagedList.ts'
import { messages } from '../../messages.ts'
import { ObjectList } from '../../parts/lists/ObjectList.tsx'
import { StatusFilter, useStatusFilter } from '../../parts/lists/StatusFilter.tsx'
import { EmptyState } from '../../parts/notices/EmptyState.tsx'
import { RelativeTime } from '../../parts/RelativeTime.tsx'
import { StatusBadge } from '../../parts/StatusBadge.tsx'
import { useDocumentTitle } from '../../parts/useDocumentTitle.ts'
import { RunTabs } from '../WorkTabs.tsx'

const texts = messages.sessions

const sessionsQuery = graphql(`query ($after: String, $statuses: [SessionStatus!]) {
  sessions(first: 50, after: $after, statuses: $statuses) {
    totalCount nodes { id title status createdAt usage { runCount } } pageInfo { hasNextPage endCursor }
  }
}`)

const statuses = ['IDLE', 'QUEUED', 'RUNNING', 'WAITING_FOR_INPUT', 'PAUSED', 'FINISHED', 'ERROR', 'DELETED'] as const

export function SessionsPage() {
  useDocumentTitle([messages.work.tabs.sessions])
  const status = useStatusFilter(statuses)
  const list = usePagedList(sessionsQuery, 'sessions', { statuses: status && [status] }, ({ id }) => id, {
    pauseMs: 2_000,
  })
  useOnTransition('SESSION', list.refresh)
  return (
    <section>
      <h1>{messages.work.tabs.sessions}</h1>
      <RunTabs current="/sessions" />
      <StatusFilter statuses={statuses} />
      <ObjectList
        label={messages.work.tabs.sessions}
        list={list}
        getId={({ id }) => id}
        isFiltered={status !== null}
        empty={
          <EmptyState title={texts.none}>
            <p>{texts.noneHint}</p>
            <a href="/runs/new">{messages.shell.newRun}</a>
          </EmptyState>
        }
        columns={[
          {
            name: messages.work.session,
            render: ({ id, title }) => (
              <a class="item-name" href={`/sessions/${id}`}>
                {title}
              </a>
            ),
          },
          { name: messages.parts.filters.status, render: (session) => <StatusBadge status={session.status} /> },
          { name: texts.endedTurns, isWide: true, render: ({ usage }) => usage.runCount },
          { name: messages.work.created, isWide: true, render: ({ createdAt }) => <RelativeTime at={createdAt} /> },
        ]}
      />
    </section>
  )
}
