/** The title and the body of a notification. The name of the object in it is not translated. */

import type { News } from '../../../spec/devices/news.ts'
import { catalog } from '../../../spec/messages/catalog.ts'
import { format } from '../../../spec/messages/format.ts'
import type { NewsMessages, NewsPlanEnd, NewsRunEnd } from '../../../spec/messages/messages.ts'
import type { Locale } from '../../../spec/pages/locales.ts'

export function titleOf(news: News, locale: Locale): string {
  const messages = catalog[locale].news
  const run = news.run && format(messages.run[news.run.kind], { number: String(news.run.number) })
  return format(templateOf(news, messages), { run: run ?? news.name, name: news.name })
}

function templateOf({ reason, status = '', run }: News, messages: NewsMessages): string {
  if (reason === 'RUN_ENDED') return messages.runEnded[status as NewsRunEnd] ?? '{run}'
  if (reason === 'PLAN_ENDED') return messages.planEnded[status as NewsPlanEnd] ?? '{name}'
  return reason === 'INCIDENT' && run ? messages.incidentIn : messages.titles[reason]
}

/** @param agent the name of the agent on whose machine it happened */
export function bodyOf({ reason, name }: News, agentName: string | null, locale: Locale): string {
  if (reason === 'AGENT_LOST') return catalog[locale].news.lostAtWork
  return agentName === null ? name : `${name} · ${agentName}`
}
