/** All texts of the console, by area. */
import type { Locale } from '../../pages/locales.ts'
import { firstStepsMessages } from './firstSteps.ts'
import { machinesMessages } from './machines.ts'
import { type MessagesOf, selectLanguage } from './message.ts'
import { newRunMessages } from './newRun.ts'
import { partsMessages } from './parts.ts'
import { repositoriesMessages } from './repositories.ts'
import { shellMessages } from './shell.ts'
import { worktreesMessages } from './worktrees.ts'

export const consoleCatalog = {
  firstSteps: firstStepsMessages,
  machines: machinesMessages,
  newRun: newRunMessages,
  parts: partsMessages,
  repositories: repositoriesMessages,
  shell: shellMessages,
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
