/** One notification: the event, the object that it is about, and buttons that mark it as read. */
import { requestGraphql } from '../data/request.ts'
import { messages } from '../messages.ts'
import { MarkButton } from '../parts/lists/MarkButton.tsx'
import { RelativeTime } from '../parts/RelativeTime.tsx'
import { getNotificationPath, getNotificationTone, markReadMutation, type NotificationNode } from './notification.ts'

const texts = messages.notifications

interface NotificationItemProps {
  readonly notification: NotificationNode
  /** Whether older ones are unread too. */
  readonly hasOlderUnread: boolean
  onMarked(): void
}

export function NotificationItem({ notification, hasOlderUnread, onMarked }: NotificationItemProps) {
  const { id, title, body, at, isRead } = notification
  const markThis = () => requestGraphql(markReadMutation, { input: { notifications: { ids: [id] } } })
  const markUpToThis = () => requestGraphql(markReadMutation, { input: { notifications: { upTo: id } } })
  return (
    <li data-seen={isRead}>
      <div class="notification-text">
        <span class="status-badge" data-tone={getNotificationTone(notification)} aria-hidden="true" />
        <a
          class="item-name"
          href={getNotificationPath(notification)}
          // If it fails, the notification stays unread.
          onClick={() => isRead || void markThis().catch(() => {})}
        >
          {title}
        </a>{' '}
        <span class="notification-body">{body}</span>
      </div>
      <span class="item-time">
        {isRead && `${texts.read} · `}
        <RelativeTime at={at} />
      </span>
      {!isRead && (
        <div class="notification-actions">
          {hasOlderUnread && (
            <MarkButton
              label={texts.markUpTo}
              title={`${title}, ${body}`}
              hint={texts.markUpToHint}
              mark={markUpToThis}
              onDone={onMarked}
            />
          )}
          <MarkButton label={texts.mark} title={`${title}, ${body}`} mark={markThis} onDone={onMarked} />
        </div>
      )}
    </li>
  )
}
