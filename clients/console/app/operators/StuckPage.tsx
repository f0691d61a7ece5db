/** Stuck actors: since when, the cause, what each waits for, and the operator actions, for one or for several at once. */
import { useOnChange } from '../data/useOnChange.ts'
import { usePagedList } from '../data/usePagedList.ts'
import { formatCount } from '../parts/formatCount.ts'
import { EmptyState } from '../parts/messages/EmptyState.tsx'
import { ErrorMessage } from '../parts/messages/ErrorMessage.tsx'
import { Loading } from '../parts/messages/Loading.tsx'
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

const causeTexts = {
  EFFECT_FAILED: 'Failed effect: the effect has exhausted its attempts.',
  QUARANTINED: 'Quarantined: the server cannot process the actor. It tries again with growing pauses.',
  UNWATCHED: 'Stranded: no timer, message or person can advance it.',
} as const

/** No event is sent for an actor that only became overdue, or that is beyond what the Action Center reads. */
const everyMs = 15_000

export function StuckPage() {
  useDocumentTitle(['Stuck'])
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
      <h1>Stuck</h1>
      <p class="lead">
        The actors that are stuck, with the cause. Open one to see its statechart, or select several for a common
        action.
      </p>
      {error && <ErrorMessage error={error} retriesAutomatically />}
      {items === undefined && !error && <Loading />}
      {items?.length === 0 && (
        <EmptyState title="Nothing is stuck">
          <p>Stuck actors appear here automatically, with their cause and what they wait for.</p>
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
          Select all {items.length}
        </label>
      )}
      <ul class="cards stuck">
        {items?.map(({ actor, cause, since, waitsFor, effects }) => (
          <li key={actor.id} data-severity={cause === 'EFFECT_FAILED' ? 'CRITICAL' : 'HIGH'}>
            <input
              type="checkbox"
              aria-label={`Select ${actor.title ?? actor.id}`}
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
                <code>{type}</code> failed {formatCount(attempts, 'time')}: {problem}
              </p>
            ))}
          </li>
        ))}
      </ul>
      {items && hasMore && (
        <p>
          <button type="button" class="quiet" onClick={loadMore}>
            Show more of the {totalCount.toLocaleString()}
          </button>
        </p>
      )}
      {selected.length > 0 && bulkActions.dialog === undefined && (
        <div class="bulk-actions">
          <h2>{selected.length} selected</h2>
          <button type="button" class="primary" onClick={() => bulkActions.open(selected)}>
            Select an action
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
  const awaited = waitsFor.length === 0 ? '' : `waiting for ${waitsFor.join(' and ')}.`
  if (cause === 'OVERDUE') return <p>Overdue{awaited === '' ? '.' : `: ${awaited}`}</p>
  return (
    <>
      <p>{causeTexts[cause]}</p>
      {awaited !== '' && <p>Was {awaited}</p>}
    </>
  )
}
