/** All texts of the console, by area. */
import type { Locale } from '../../pages/locales.ts'
import { accountsMessages } from './accounts.ts'
import { firstStepsMessages } from './firstSteps.ts'
import { inboxMessages } from './inbox.ts'
import { kindMessages } from './kinds.ts'
import { machinesMessages } from './machines.ts'
import { type MessagesOf, selectLanguage } from './message.ts'
import { newRunMessages } from './newRun.ts'
import { partsMessages } from './parts.ts'
import { planMessages } from './plans.ts'
import { repositoriesMessages } from './repositories.ts'
import { runMessages } from './run.ts'
import { runsMessages } from './runs.ts'
import { scheduleMessages } from './schedules.ts'
import { sessionMessages } from './sessions.ts'
import { shellMessages } from './shell.ts'
import { statusMessages } from './statuses.ts'
import { workMessages } from './work.ts'
import { workflowMessages } from './workflows.ts'
import { worktreesMessages } from './worktrees.ts'

export const consoleCatalog = {
  accounts: accountsMessages,
  firstSteps: firstStepsMessages,
  inbox: inboxMessages,
  kinds: kindMessages,
  machines: machinesMessages,
  newRun: newRunMessages,
  parts: partsMessages,
  plans: planMessages,
  repositories: repositoriesMessages,
  run: runMessages,
  runs: runsMessages,
  schedules: scheduleMessages,
  sessions: sessionMessages,
  shell: shellMessages,
  statuses: statusMessages,
  work: workMessages,
  workflows: workflowMessages,
  worktrees: worktreesMessages,
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
