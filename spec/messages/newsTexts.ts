/** The title and the body of a notification. The name of the object in it is not translated. */

import type { News, OrdinaryNews } from '../devices/news.ts'
import type { Locale } from '../pages/locales.ts'
import { catalog } from './catalog.ts'
import { inboxMessages } from './console/inbox.ts'
import { format } from './format.ts'
import type { NewsBuildEnd, NewsMessages, NewsPlanEnd, NewsRunEnd } from './messages.ts'

export function titleOf(news: News, locale: Locale): string {
  if (news.reason === 'ACTION_NEEDED') return inboxMessages.kinds[news.item][locale]
  const messages = catalog[locale].news
  const run = news.run && format(messages.run[news.run.kind], { number: String(news.run.number) })
  return format(templateOf(news, messages), { run: run ?? news.name, name: news.name })
}

function templateOf({ reason, status = '', run }: News & OrdinaryNews, messages: NewsMessages): string {
  if (reason === 'RUN_ENDED') return messages.runEnded[status as NewsRunEnd] ?? '{run}'
  if (reason === 'PLAN_ENDED') return messages.planEnded[status as NewsPlanEnd] ?? '{name}'
  if (reason === 'BUILD_ENDED' || reason === 'DEPLOYMENT_ENDED')
    return messages.buildEnded[status as NewsBuildEnd] ?? '{name}'
  return reason === 'INCIDENT' && run ? messages.incidentIn : messages.titles[reason]
}

/** @param agent the name of the agent on whose machine it happened */
export function bodyOf({ reason, name }: News, agentName: string | null, locale: Locale): string {
  if (reason === 'AGENT_LOST') return catalog[locale].news.lostAtWork
  return agentName === null ? name : `${name} · ${agentName}`
}
