/** The user's notifications, newest first, with the user's own marks of which are read. */
import { purgeRuleOf } from '../../../../spec/core/kinds.ts'
import { requestGraphql } from '../data/request.ts'
import { useOnChange } from '../data/useOnChange.ts'
import { usePagedList } from '../data/usePagedList.ts'
import { format, locale, messages } from '../messages.ts'
import { ActionButton } from '../parts/forms/ActionButton.tsx'
import { ShowMore } from '../parts/lists/ShowMore.tsx'
import { EmptyState } from '../parts/notices/EmptyState.tsx'
import { ErrorMessage } from '../parts/notices/ErrorMessage.tsx'
import { Loading } from '../parts/notices/Loading.tsx'
import { useDocumentTitle } from '../parts/useDocumentTitle.ts'
import { useFocusFallback } from '../parts/useFocusFallback.ts'
import { setFilters, useFilters } from '../router.ts'
import { useRequest } from '../state/requestStore.ts'
import { unreadNotificationsStore } from '../state/unreadNotificationsStore.ts'
import { useSelector } from '../state/useSelector.ts'
import { NotificationItem } from './NotificationItem.tsx'
import { markReadMutation, notificationsQuery } from './notification.ts'

const texts = messages.notifications
const title = messages.shell.views.notifications
const { days } = purgeRuleOf('news')

export function NotificationsPage() {
  useDocumentTitle([title])
  const isUnreadOnly = useFilters().show === 'unread'
  const variables = { unreadOnly: isUnreadOnly, language: locale }
  const list = usePagedList(notificationsQuery, 'notifications', variables, ({ id }) => id)
  const { items, error, totalCount, hasMore, refreshAll } = list
  // A change may be a mark of any of them, by another page of the user.
  useOnChange(
    useSelector(unreadNotificationsStore, ({ changeCount }) => changeCount),
    refreshAll,
  )
  const heading = useFocusFallback()
  const lastUnread = items?.findLast(({ isRead }) => !isRead)
  return (
    <section>
      <div class="heading-row">
        <h1 ref={heading} tabIndex={-1}>
          {title}
        </h1>
        <a href="/settings/devices">{texts.devices}</a>
      </div>
      <NotificationFilter isUnreadOnly={isUnreadOnly} newestId={items?.[0]?.id} onMarked={refreshAll} />
      {error && <ErrorMessage error={error} retriesAutomatically />}
      {items === undefined && !error && <Loading />}
      {items?.length === 0 &&
        (isUnreadOnly ? (
          <EmptyState title={texts.noneUnread}>
            <button type="button" class="quiet" onClick={() => setFilters({ show: '' })}>
              {texts.showAll}
            </button>
          </EmptyState>
        ) : (
          <EmptyState title={texts.none}>
            <p>{texts.noneHint}</p>
          </EmptyState>
        ))}
      <ul class="cards notifications" aria-label={title}>
        {items?.map((notification) => (
          <NotificationItem
            key={notification.id}
            notification={notification}
            hasOlderUnread={notification !== lastUnread || hasMore}
            onMarked={refreshAll}
          />
        ))}
      </ul>
      {items && <ShowMore shown={items.length} list={list} />}
      {items && items.length > 0 && !hasMore && (
        <p class="hint">{format(texts.total, { count: Math.max(totalCount, items.length), days })}</p>
      )}
    </section>
  )
}

interface NotificationFilterProps {
  readonly isUnreadOnly: boolean
  /** The newest one that is shown. Those that come meanwhile stay unread. */
  readonly newestId: string | undefined
  onMarked(): void
}

function NotificationFilter({ isUnreadOnly, newestId, onMarked }: NotificationFilterProps) {
  const unreadCount = useSelector(unreadNotificationsStore, (context) => context.unreadCount)
  const { status, error, send } = useRequest<void>()
  const markAll = (upTo: string) =>
    send(requestGraphql(markReadMutation, { input: { notifications: { upTo } } }).then(onMarked))
  return (
    <>
      <search class="list-options">
        <label class="checkbox-field">
          <input
            type="checkbox"
            checked={isUnreadOnly}
            onChange={({ currentTarget }) => setFilters({ show: currentTarget.checked ? 'unread' : '' })}
          />
          {texts.unreadOnly}{' '}
          {unreadCount !== undefined && <span class="count">{unreadCount.toLocaleString(locale)}</span>}
        </label>
        {newestId !== undefined && unreadCount !== 0 && (
          <ActionButton isBusy={status === 'pending'} onClick={() => void markAll(newestId)}>
            {texts.markAll}
          </ActionButton>
        )}
      </search>
      {error && <ErrorMessage error={error} />}
    </>
  )
}
