/** The content of a push notification: a text for the person, and the IDs of the object for the app. */

import type { News } from '../../../spec/devices/news.ts'
import { negotiateLocale } from '../../../spec/messages/negotiateLocale.ts'
import { bodyOf, titleOf } from '../../../spec/messages/newsTexts.ts'

export interface PushContent {
  readonly notificationId: string
  /** The notification that users see, to mark it as read. */
  readonly newsId?: string | undefined
  readonly subject: { readonly kind: string; readonly id: string }
  readonly news: News
  readonly agentName: string | null
}

/** The maximum lengths, in characters. The name can be in the title and in the body, and the payload stays below Apple's limit of 4,096 bytes. */
const maxLengths = { name: 200, agentName: 100 }

/** JSON. `actorId` and `kind` name the object that the app opens. */
export function payloadOf(
  { notificationId, newsId, subject, news, agentName }: PushContent,
  language: string | undefined,
): string {
  const locale = negotiateLocale(language)
  const shown = { ...news, name: cut(news.name, maxLengths.name) }
  const shownAgent = agentName === null ? null : cut(agentName, maxLengths.agentName)
  return JSON.stringify({
    aps: {
      alert: { title: titleOf(shown, locale), body: bodyOf(shown, shownAgent, locale) },
      sound: 'default',
      category: news.reason,
      'thread-id': subject.id,
    },
    notificationId,
    ...(newsId === undefined ? {} : { newsId }),
    actorId: subject.id,
    kind: subject.kind,
    reason: news.reason,
    ...(news.status === undefined ? {} : { status: news.status }),
  })
}

/** Truncates at code-point boundaries. */
function cut(text: string, length: number): string {
  const characters = Array.from(text)
  return characters.length <= length ? text : `${characters.slice(0, length - 1).join('')}…`
}
