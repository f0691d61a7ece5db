/** All plans, newest first, updated live. */
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

const texts = messages.plans

const plansQuery = graphql(`query ($after: String, $statuses: [PlanStatus!]) {
  plans(first: 50, after: $after, statuses: $statuses) {
    totalCount nodes { id title status revision createdAt } pageInfo { hasNextPage endCursor }
  }
}`)

const statuses = ['DRAFT', 'READY', 'RUNNING', 'COMPLETED', 'FAILED', 'ARCHIVED'] as const

export function PlansPage() {
  useDocumentTitle([messages.work.tabs.plans])
  const status = useStatusFilter(statuses)
  const list = usePagedList(plansQuery, 'plans', { statuses: status && [status] }, ({ id }) => id, { pauseMs: 2_000 })
  useOnTransition('PLAN', list.refresh)
  return (
    <section>
      <h1>{messages.work.tabs.plans}</h1>
      <RunTabs current="/plans" />
      <StatusFilter statuses={statuses} />
      <ObjectList
        label={messages.work.tabs.plans}
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
            name: texts.plan,
            render: ({ id, title }) => (
              <a class="item-name" href={`/plans/${id}`}>
                {title}
              </a>
            ),
          },
          { name: messages.parts.filters.status, render: (plan) => <StatusBadge status={plan.status} /> },
          { name: texts.revision, isWide: true, render: ({ revision }) => (revision === 0 ? '–' : revision) },
          { name: messages.work.created, isWide: true, render: ({ createdAt }) => <RelativeTime at={createdAt} /> },
        ]}
      />
    </section>
  )
}
