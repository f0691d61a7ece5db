/** The data that a page passes to its script. */
import type { PageMessages } from '../../../spec/messages/messages.ts'
import type { Locale } from '../../../spec/pages/locales.ts'

export interface AuthPageData {
  readonly locale: Locale
  /** The address to open after signing in. */
  readonly target: string
  /** The address to which the provider returns after a failure. */
  readonly back: string
  readonly providerBusy: string
  readonly busy: string
  readonly show: string
  readonly hide: string
  readonly problems: PageMessages['problems']
}

/** The data that the console's page passes to its script. The script requests all other data. */
export interface ConsolePageData {
  readonly name: string
  readonly email: string
  /** The path of the script for the worker that reads logs. */
  readonly logReader: string
  /** The address to open after signing out. */
  readonly signIn: string
  /** Whether GraphiQL is served. */
  readonly sandbox: boolean
}
