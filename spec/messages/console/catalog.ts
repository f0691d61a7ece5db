/** All texts of the console, by area. */
import type { Locale } from '../../pages/locales.ts'
import { accountsMessages } from './accounts.ts'
import { inboxMessages } from './inbox.ts'
import { kindMessages } from './kinds.ts'
import { type MessagesOf, selectLanguage } from './message.ts'
import { newRunMessages } from './newRun.ts'
import { partsMessages } from './parts.ts'
import { planMessages } from './plans.ts'
import { runMessages } from './run.ts'
import { runsMessages } from './runs.ts'
import { scheduleMessages } from './schedules.ts'
import { sessionMessages } from './sessions.ts'
import { shellMessages } from './shell.ts'
import { statusMessages } from './statuses.ts'
import { workMessages } from './work.ts'
import { workflowMessages } from './workflows.ts'

export const consoleCatalog = {
  accounts: accountsMessages,
  inbox: inboxMessages,
  kinds: kindMessages,
  newRun: newRunMessages,
  parts: partsMessages,
  plans: planMessages,
  run: runMessages,
  runs: runsMessages,
  schedules: scheduleMessages,
  sessions: sessionMessages,
  shell: shellMessages,
  statuses: statusMessages,
  work: workMessages,
  workflows: workflowMessages,
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
