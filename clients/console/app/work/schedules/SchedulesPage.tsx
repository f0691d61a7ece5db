/** The schedules of all workflows. */
import { messages } from '../../messages.ts'
import { StatusFilter, useStatusFilter } from '../../parts/lists/StatusFilter.tsx'
import { EmptyState } from '../../parts/notices/EmptyState.tsx'
import { useDocumentTitle } from '../../parts/useDocumentTitle.ts'
import { setFilters } from '../../router.ts'
import { WorkflowTabs } from '../WorkTabs.tsx'
import { ScheduleList } from './ScheduleList.tsx'

const texts = messages.schedules

const statuses = ['ACTIVE', 'PAUSED', 'INCIDENT', 'DELETED'] as const

export function SchedulesPage() {
  useDocumentTitle([messages.work.tabs.schedules])
  const status = useStatusFilter(statuses)
  return (
    <section>
      <h1>{messages.work.tabs.schedules}</h1>
      <WorkflowTabs current="/schedules" />
      <StatusFilter statuses={statuses} />
      <ScheduleList
        status={status}
        empty={
          status === null ? (
            <EmptyState title={texts.none}>
              <p>{texts.noneHint}</p>
              <a href="/workflows">{messages.shell.views.workflows}</a>
            </EmptyState>
          ) : (
            <EmptyState title={messages.parts.noMatches}>
              <button type="button" class="quiet" onClick={() => setFilters({ status: '' })}>
                {messages.parts.filters.clear}
              </button>
            </EmptyState>
          )
        }
      />
    </section>
  )
}
