/** The content of a push notification: a text for a person, and for the app the object that it concerns. */

import type { News } from '../../../spec/devices/news.ts'
import { negotiateLocale } from '../../../spec/messages/negotiateLocale.ts'
import { bodyOf, titleOf } from './texts.ts'

export interface PushContent {
  readonly notificationId: string
  readonly subject: { readonly kind: string; readonly id: string }
  readonly news: News
  readonly agentName: string | null
}

/** The maximum lengths, in characters. With four bytes for each, the payload stays below Apple's limit of 4,096 bytes. */
const maxLengths = { name: 200, agentName: 100 }

/** JSON. `actorId` and `kind` name the object that the app opens. */
export function payloadOf(
  { notificationId, subject, news, agentName }: PushContent,
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
