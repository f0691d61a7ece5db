import type * as v from 'valibot'
import { readMarkMembers } from '../../../machines/devices/readMarkKeys.ts'
import type { TypedRow } from '../../../machines/rows.ts'
import type { ActorEvent } from '../../../spec/core/actor.ts'
import { type ActorKind, siblingId } from '../../../spec/core/ids.ts'
import { kindName } from '../../../spec/core/kinds.ts'
import { toDateTime } from '../../../spec/core/types.ts'
import {
  markNotificationsRead,
  type notificationSchema,
  notifications,
  notificationsChanged,
  unreadCountMax,
} from '../../../spec/devices/notifications.ts'
import { negotiateLocale } from '../../../spec/messages/negotiateLocale.ts'
import { bodyOf, titleOf } from '../../../spec/messages/newsTexts.ts'
import type { Locale } from '../../../spec/pages/locales.ts'
import type { RowQuery } from '../../../storage/ports/views.ts'
import { pageOfRows } from '../core/connections.ts'
import { ensureMarks } from '../core/ensureMarks.ts'
import { requireUserId } from '../core/requireUserId.ts'
import { notFound } from '../core/rows.ts'
import { handle } from '../handler.ts'
import type { TypedViews } from '../typedViews.ts'
import { findNewsObjects } from './newsObjects.ts'

type NewsQuery = Omit<RowQuery<'news'>, 'limit'>

const what = 'Notifications'
/** No transition announces that old news was purged. */
const lookAgainMs = 600_000

/** IDs begin with their time. So the news since the user exists has greater IDs. */
function allNews(userId: string): NewsQuery & { readonly idAfter: string } {
  return { kind: 'news', idAfter: siblingId('news', userId) }
}

function unreadNews(userId: string, marks: TypedRow<'readMarks'> | undefined): NewsQuery {
  const all = allNews(userId)
  if (marks === undefined) return all
  const { readUpTo } = marks.context
  return {
    ...all,
    ...(readUpTo !== null && readUpTo > all.idAfter ? { idAfter: readUpTo } : {}),
    withoutMember: { actorId: marks.id, prefix: readMarkMembers.prefix },
  }
}

const readMarksOf = (userId: string, views: TypedViews) => views.get('readMarks', siblingId('readMarks', userId))

const countUnread = async (userId: string, views: TypedViews): Promise<number> =>
  await views.count(unreadNews(userId, await readMarksOf(userId, views)), unreadCountMax)

/** The IDs of the news that the user has read. */
async function findRead(
  ids: readonly string[],
  marks: TypedRow<'readMarks'> | undefined,
  views: TypedViews,
): Promise<ReadonlySet<string>> {
  if (marks === undefined) return new Set()
  const keys = await views.existingMembers(marks.id, ids.map(readMarkMembers.toKey))
  const { readUpTo } = marks.context
  return new Set(ids.filter((id) => id <= (readUpTo ?? '') || keys.has(readMarkMembers.toKey(id))))
}

function toNotification(
  { id, init }: TypedRow<'news'>,
  objectId: string | undefined,
  isRead: boolean,
  locale: Locale,
): v.InferInput<typeof notificationSchema> {
  const { news, subject, agent } = init
  return {
    id,
    reason: news.reason,
    status: news.status ?? null,
    title: titleOf(news, locale),
    body: bodyOf(news, agent, locale),
    actorId: subject.id,
    actorKind: kindName(subject.kind as ActorKind),
    objectId: objectId ?? subject.id,
    at: toDateTime(news.at),
    isRead,
  }
}

/** @throws Failure NOT_FOUND also for news from before the user existed */
async function requireNews(ids: readonly string[], userId: string, views: TypedViews): Promise<void> {
  const { idAfter } = allNews(userId)
  const known = await views.getMany('news', ids)
  const missing = ids.find((id) => id <= idAfter || !known.has(id))
  if (missing !== undefined) throw notFound('news', missing)
}

export const notificationHandlers = [
  handle(notifications, ['views'], {
    read: async ({ unreadOnly, language, ...page }, { principal, views }) => {
      const userId = requireUserId(principal, what)
      const marks = await readMarksOf(userId, views)
      const unread = unreadNews(userId, marks)
      const filter = unreadOnly === true ? unread : allNews(userId)
      const [found, unreadCount] = await Promise.all([
        pageOfRows(views, filter, page, (row) => row),
        views.count(unread, unreadCountMax),
      ])
      const ids = found.nodes.map(({ id }) => id)
      const [read, objects] = await Promise.all([findRead(ids, marks, views), findNewsObjects(found.nodes, views)])
      const locale = negotiateLocale(language ?? undefined)
      const edges = found.edges.map(({ cursor, node }) => ({
        cursor,
        node: toNotification(node, objects.get(node.init.subject.id), read.has(node.id), locale),
      }))
      return { ...found, edges, nodes: edges.map(({ node }) => node), unreadCount }
    },
  }),
  handle(markNotificationsRead, ['views'], {
    translate: async ({ notifications: { ids, upTo } }, { principal, views, now }) => {
      const userId = requireUserId(principal, what)
      await requireNews(upTo === undefined ? ids : [upTo], userId, views)
      const event: ActorEvent =
        upTo === undefined ? { type: 'read', newsIds: [...new Set(ids)] } : { type: 'readUpTo', newsId: upTo }
      return {
        messages: await ensureMarks('readMarks', userId, event, { views, now }),
        answer: async () => ({ unreadCount: await countUnread(userId, views) }),
      }
    },
  }),
  handle(notificationsChanged, [], {
    follow: (_input, { principal }) => {
      const userId = requireUserId(principal, what)
      return {
        type: 'watched',
        name: `notifications ${userId}`,
        kinds: ['news', 'readMarks'],
        everyMs: lookAgainMs,
        read: async ({ views }) => {
          const [unreadCount, [newest], marks] = await Promise.all([
            countUnread(userId, views),
            views.list({ ...allNews(userId), descending: true, limit: 1 }),
            readMarksOf(userId, views),
          ])
          // With the number of marks, because a mark and a new notification together may leave the count as it was.
          return { unreadCount, newestId: newest?.id ?? null, marks: marks?.seq ?? 0 }
        },
      }
    },
    payload: (item) => {
      if (item.type !== 'value') return undefined
      const { unreadCount, newestId } = item.value as { unreadCount: number; newestId: string | null }
      return { unreadCount, newestId }
    },
  }),
] as const
