/** The inbox: items of the Action Center that wait for a person, the most severe first. */

import { type EnumValue, graphql } from '../data/graphql.ts'
import { useOnChange } from '../data/useOnChange.ts'
import { useQuery } from '../data/useQuery.ts'
import { FirstSteps } from '../firstSteps/FirstSteps.tsx'
import { EmptyState } from '../parts/messages/EmptyState.tsx'
import { ErrorMessage } from '../parts/messages/ErrorMessage.tsx'
import { Loading } from '../parts/messages/Loading.tsx'
import { RelativeTime } from '../parts/RelativeTime.tsx'
import { useDocumentTitle } from '../parts/useDocumentTitle.ts'
import { getObjectPath } from '../router.ts'
import { actionCenterStore } from '../state/actionCenterStore.ts'
import { useSelector } from '../state/useSelector.ts'

const itemsQuery = graphql(`{ actionCenter(first: 100) { totalCount more items {
  kind severity title detail since actorId runId actions { title }
} } }`)

const kindLabels: Readonly<Record<EnumValue<'ActionCenterItemKind'>, string>> = {
  ACTOR_INCIDENT: 'Incident',
  AGENT_LOST: 'Agent lost',
  RUN_WAITING_FOR_INPUT: 'Needs your answer',
  STEP_WAITING_FOR_APPROVAL: 'Needs your approval',
  ACTOR_STUCK: 'Stuck',
  RUN_FAILED: 'Failed',
  SCHEDULE_REFUSED: 'Schedule refused',
  PLAN_READY: 'Plan ready',
}

const headings = { CRITICAL: 'Urgent', HIGH: 'Needs action', NORMAL: 'For review' } as const

export function ActionCenterPage() {
  useDocumentTitle(['Inbox'])
  const { data, error, refresh } = useQuery(itemsQuery, {}, { everyMs: 15_000 })
  useOnChange(
    useSelector(actionCenterStore, ({ changeCount }) => changeCount),
    refresh,
  )
  const items = data?.actionCenter.items
  return (
    <section>
      <h1>Inbox</h1>
      <FirstSteps />
      {error && <ErrorMessage error={error} retriesAutomatically />}
      {items === undefined && !error && <Loading what="the inbox" />}
      {items?.length === 0 && (
        <EmptyState title="You’re all caught up">
          <p>Questions, failures and stuck actors appear here automatically.</p>
        </EmptyState>
      )}
      {(['CRITICAL', 'HIGH', 'NORMAL'] as const).map((severity) => {
        const members = items?.filter((item) => item.severity === severity) ?? []
        return members.length === 0 ? null : (
          <section key={severity} class="group" aria-labelledby={severity}>
            <h2 id={severity}>
              {headings[severity]} <span class="count">{members.length}</span>
            </h2>
            <ul class="cards">
              {members.map((item) => (
                <li key={`${item.kind} ${item.actorId}`} data-severity={severity}>
                  <span>
                    <span class="reason">{kindLabels[item.kind]}</span>{' '}
                    <a class="item-name" href={getObjectPath(item.runId ?? item.actorId)}>
                      {item.title}
                    </a>
                  </span>
                  <RelativeTime at={item.since} />
                  {item.detail && <p>{item.detail}</p>}
                  {item.actions[0] && <p class="hint">{item.actions[0].title}</p>}
                </li>
              ))}
            </ul>
          </section>
        )
      })}
      {data?.actionCenter.more && (
        <p class="hint">The list is incomplete: there are {data.actionCenter.totalCount} items.</p>
      )}
    </section>
  )
}
