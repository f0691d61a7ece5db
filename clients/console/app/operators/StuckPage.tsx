/** Stuck actors: since when, the cause, what each waits for, and the operator actions, for one or for several at once. */
import { useOnChange } from '../data/useOnChange.ts'
import { usePagedList } from '../data/usePagedList.ts'
import { format, formatParts, locale, messages } from '../messages.ts'
import { EmptyState } from '../parts/notices/EmptyState.tsx'
import { ErrorMessage } from '../parts/notices/ErrorMessage.tsx'
import { Loading } from '../parts/notices/Loading.tsx'
import { RelativeTime } from '../parts/RelativeTime.tsx'
import { StatusBadge } from '../parts/StatusBadge.tsx'
import { useDocumentTitle } from '../parts/useDocumentTitle.ts'
import { actionCenterStore } from '../state/actionCenterStore.ts'
import { useDialog } from '../state/dialogStore.ts'
import { createSelectionStore } from '../state/selectionStore.ts'
import { useLocalStore } from '../state/useLocalStore.ts'
import { useSelector } from '../state/useSelector.ts'
import { ActorName } from './ActorName.tsx'
import { BulkActions } from './BulkActions.tsx'
import { type StuckActor, stuckQuery } from './stuckActor.ts'

const texts = messages.stuck
const listFormat = new Intl.ListFormat(locale)

/** No event is sent for an actor that only became overdue, or that is beyond what the Action Center reads. */
const everyMs = 15_000

export function StuckPage() {
  useDocumentTitle([texts.title])
  const list = usePagedList(stuckQuery, 'stuckActors', {}, ({ actor }) => actor.id, { everyMs })
  const { items, totalCount, error, hasMore, loadMore, refresh } = list
  const [{ ids: selectedIds }, { trigger }] = useLocalStore(createSelectionStore)
  // The selected actors stay until the user has read the results, even if they are no longer stuck.
  const bulkActions = useDialog<readonly StuckActor[]>()
  // The Action Center sends an event if its stuck actors have changed.
  useOnChange(
    useSelector(actionCenterStore, ({ changeCount }) => changeCount),
    refresh,
  )
  const selected = items?.filter(({ actor }) => selectedIds.has(actor.id)) ?? []
  return (
    <section>
      <h1>{texts.title}</h1>
      <p class="lead">{texts.lead}</p>
      {error && <ErrorMessage error={error} retriesAutomatically />}
      {items === undefined && !error && <Loading />}
      {items?.length === 0 && (
        <EmptyState title={texts.empty.title}>
          <p>{texts.empty.text}</p>
        </EmptyState>
      )}
      {items && items.length > 1 && (
        <label class="select-all">
          <input
            type="checkbox"
            checked={selected.length === items.length}
            onChange={({ currentTarget }) =>
              trigger.replaced({ ids: currentTarget.checked ? items.map(({ actor }) => actor.id) : [] })
            }
          />
          {format(texts.selectAll, { total: items.length })}
        </label>
      )}
      <ul class="cards stuck">
        {items?.map(({ actor, cause, since, waitsFor, effects }) => (
          <li key={actor.id} data-severity={cause === 'EFFECT_FAILED' ? 'CRITICAL' : 'HIGH'}>
            <input
              type="checkbox"
              aria-label={format(texts.select, { name: actor.title ?? actor.id })}
              checked={selectedIds.has(actor.id)}
              onChange={() => trigger.toggled({ id: actor.id })}
            />
            <a class="item-name" href={`/actors/${actor.id}`}>
              <ActorName id={actor.id} title={actor.title} />
            </a>
            <StatusBadge status={actor.status} />
            <RelativeTime at={since} />
            <StuckCause cause={cause} waitsFor={waitsFor} />
            {effects.map(({ id, type, attempts, problem }) => (
              <p key={id} class="problem">
                {formatParts(texts.failedAttempts, { effect: <code>{type}</code>, count: attempts, problem })}
              </p>
            ))}
          </li>
        ))}
      </ul>
      {items && hasMore && (
        <p class="hint">
          {format(messages.parts.firstOf, { shown: items.length, total: Math.max(totalCount, items.length) })}{' '}
          <button type="button" class="quiet" onClick={loadMore}>
            {messages.parts.loadMore}
          </button>
        </p>
      )}
      {selected.length > 0 && bulkActions.dialog === undefined && (
        <div class="bulk-actions">
          <h2>{format(texts.bulk.selected, { count: selected.length })}</h2>
          <button type="button" class="primary" onClick={() => bulkActions.open(selected)}>
            {texts.bulk.choose}
          </button>
        </div>
      )}
      {bulkActions.dialog && (
        <BulkActions
          actors={bulkActions.dialog}
          onClose={() => {
            bulkActions.close()
            trigger.replaced({ ids: [] })
            refresh()
          }}
        />
      )}
    </section>
  )
}

function StuckCause({ cause, waitsFor }: Pick<StuckActor, 'cause' | 'waitsFor'>) {
  const awaited = listFormat.format(waitsFor)
  if (cause === 'OVERDUE') return <p>{awaited === '' ? texts.causes.OVERDUE : format(texts.overdue, { awaited })}</p>
  return (
    <>
      <p>{texts.causes[cause]}</p>
      {awaited !== '' && <p>{format(texts.waited, { awaited })}</p>}
    </>
  )
}
