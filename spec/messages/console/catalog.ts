/** All texts of the console, by area. */
import type { Locale } from '../../pages/locales.ts'
import { inboxMessages } from './inbox.ts'
import { kindMessages } from './kinds.ts'
import { type MessagesOf, selectLanguage } from './message.ts'
import { newRunMessages } from './newRun.ts'
import { partsMessages } from './parts.ts'
import { runsMessages } from './runs.ts'
import { shellMessages } from './shell.ts'
import { statusMessages } from './statuses.ts'

export const consoleCatalog = {
  inbox: inboxMessages,
  newRun: newRunMessages,
  parts: partsMessages,
  runs: runsMessages,
  shell: shellMessages,
  statuses: statusMessages,
  kinds: kindMessages,
} as const

export type ConsoleMessages = MessagesOf<typeof consoleCatalog>

/** The data of the script that a page loads before the console. */
export interface ConsoleLanguage {
  readonly locale: Locale
  readonly messages: ConsoleMessages
}

declare global {
  /** Set by that script. */
  var consoleLanguage: ConsoleLanguage
}

export function consoleLanguageOf(locale: Locale): ConsoleLanguage {
  return { locale, messages: selectLanguage(consoleCatalog, locale) }
}
