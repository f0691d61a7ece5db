/** Schedules with their next times and actions, updated live: of one workflow, or of all. */
import type { ComponentChildren } from 'preact'
import { graphql, type ResultOf } from '../../data/graphql.ts'
import { useOnTransition } from '../../data/useOnTransition.ts'
import { usePagedList } from '../../data/usePagedList.ts'
import { messages } from '../../messages.ts'
import { ShowMore } from '../../parts/lists/ShowMore.tsx'
import { ErrorMessage } from '../../parts/notices/ErrorMessage.tsx'
import { Loading } from '../../parts/notices/Loading.tsx'
import { ScheduleCard } from './ScheduleCard.tsx'
import { scheduleFragment } from './schedule.ts'

const schedulesQuery = graphql(
  `query ($workflowId: ID, $after: String, $statuses: [ScheduleStatus!]) {
    schedules(first: 20, after: $after, workflowId: $workflowId, statuses: $statuses) {
      totalCount nodes { ...ScheduleFields } pageInfo { hasNextPage endCursor }
    }
  }`,
  [scheduleFragment],
)

type Status = ResultOf<typeof scheduleFragment>['status']

interface ScheduleListProps {
  readonly workflowId?: string
  readonly status?: Status | null
  /** The content that is shown if there are no schedules. */
  readonly empty: ComponentChildren
}

export function ScheduleList({ workflowId, status = null, empty }: ScheduleListProps) {
  const variables = { workflowId: workflowId ?? null, statuses: status && [status] }
  const list = usePagedList(schedulesQuery, 'schedules', variables, ({ id }) => id, { pauseMs: 1_000 })
  const { items, error, refresh } = list
  useOnTransition('SCHEDULE', refresh)
  if (items === undefined) return error ? <ErrorMessage error={error} retriesAutomatically /> : <Loading />
  return (
    <>
      {error && <ErrorMessage error={error} retriesAutomatically />}
      {items.length === 0 && empty}
      <ul class="cards" aria-label={messages.work.tabs.schedules}>
        {items.map((schedule) => (
          <ScheduleCard key={schedule.id} schedule={schedule} hasWorkflow={workflowId === undefined} />
        ))}
      </ul>
      <ShowMore shown={items.length} list={list} />
    </>
  )
}
