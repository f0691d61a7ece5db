/** The inbox: questions, failures and stuck runs that wait for a person, the most severe first, with their actions. */
import { useOnChange } from '../data/useOnChange.ts'
import { useQuery } from '../data/useQuery.ts'
import { useSubscription } from '../data/useSubscription.ts'
import { FirstSteps } from '../firstSteps/FirstSteps.tsx'
import { format, messages } from '../messages.ts'
import { EmptyState } from '../parts/notices/EmptyState.tsx'
import { ErrorMessage } from '../parts/notices/ErrorMessage.tsx'
import { Loading } from '../parts/notices/Loading.tsx'
import { useDocumentTitle } from '../parts/useDocumentTitle.ts'
import { useFocusFallback } from '../parts/useFocusFallback.ts'
import { setFilters, useFilters } from '../router.ts'
import { actionCenterStore } from '../state/actionCenterStore.ts'
import { useSelector } from '../state/useSelector.ts'
import { InboxCard } from './InboxCard.tsx'
import { InboxFilter } from './InboxFilter.tsx'
import {
  getItemRunId,
  groupItems,
  type InboxEntry,
  inboxQuery,
  listStuckRuns,
  runTimesQuery,
  waitingQuery,
} from './inboxItems.ts'
import { NotificationButton } from './NotificationButton.tsx'
import { seenSubscription } from './seenMarks.ts'
import { WaitingCard } from './WaitingCard.tsx'

const texts = messages.inbox

export function InboxPage() {
  useDocumentTitle([texts.title])
  const isNewOnly = useFilters().show === 'new'
  const { data, error, refresh } = useQuery(inboxQuery, { unseenOnly: isNewOnly }, { everyMs: 60_000 })
  useOnChange(
    useSelector(actionCenterStore, ({ changeCount }) => changeCount),
    refresh,
  )
  useSubscription(seenSubscription, {}, { onData: refresh })
  const heading = useFocusFallback()
  const items = data?.actionCenter.items ?? []
  const { data: waiting } = useQuery(waitingQuery, { ids: listStuckRuns(items) })
  const runs = (waiting?.nodes ?? []).flatMap((node) => (node !== null && 'worktree' in node ? [node] : []))
  const entries = groupItems(items, runs)
  const { data: times } = useQuery(runTimesQuery, { ids: listRuns(entries) })
  const timesById = new Map(
    (times?.nodes ?? []).flatMap((node) => (node && 'queuedAt' in node ? [[node.id, node]] : [])),
  )
  return (
    <section>
      <div class="heading-row">
        <h1 ref={heading} tabIndex={-1}>
          {texts.title}
        </h1>
        <NotificationButton />
      </div>
      <FirstSteps />
      {error && <ErrorMessage error={error} retriesAutomatically />}
      {data === undefined && !error && <Loading />}
      {data && (isNewOnly || items.length > 0) && (
        <InboxFilter isNewOnly={isNewOnly} unseenCount={data.actionCenter.unseenCount} onDone={refresh} />
      )}
      {data && items.length === 0 && isNewOnly && (
        <EmptyState title={texts.filter.noneNew}>
          <button type="button" class="quiet" onClick={() => setFilters({ show: '' })}>
            {texts.filter.showAll}
          </button>
        </EmptyState>
      )}
      {data && items.length === 0 && !isNewOnly && (
        <EmptyState title={texts.empty.title}>
          <p>{texts.empty.text}</p>
        </EmptyState>
      )}
      {(['CRITICAL', 'HIGH', 'NORMAL'] as const).map((severity) => {
        const members = entries.filter((entry) => severityOf(entry) === severity)
        return members.length === 0 ? null : (
          <section key={severity} class="group" aria-labelledby={severity}>
            <h2 id={severity}>
              {texts.severity[severity]}{' '}
              <span class="count">{items.filter((item) => item.severity === severity).length}</span>
            </h2>
            <ul class="cards inbox">
              {members.map((entry) =>
                entry.type === 'item' ? (
                  <InboxCard
                    key={entry.item.id}
                    item={entry.item}
                    times={timesById.get(getItemRunId(entry.item) ?? '')}
                    onDone={refresh}
                  />
                ) : (
                  <WaitingCard key={entry.group.key} group={entry.group} onDone={refresh} />
                ),
              )}
            </ul>
          </section>
        )
      })}
      {data?.actionCenter.more && (
        <p class="hint">{format(texts.first, { shown: items.length, total: data.actionCenter.totalCount })}</p>
      )}
      {items.some(({ kind }) => kind === 'ACTOR_STUCK' || kind === 'ACTOR_INCIDENT') && (
        <p>
          <a href="/stuck">{texts.stuck}</a>
        </p>
      )}
    </section>
  )
}

/** Returns the runs that have a card of their own. */
function listRuns(entries: readonly InboxEntry[]): readonly string[] {
  return [...new Set(entries.flatMap((entry) => (entry.type === 'item' ? (getItemRunId(entry.item) ?? []) : [])))]
}

function severityOf(entry: InboxEntry) {
  return entry.type === 'item' ? entry.item.severity : entry.group.severity
}
