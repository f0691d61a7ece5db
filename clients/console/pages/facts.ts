/** What a page tells its script. */
import type { Locale } from '../../../spec/pages/locales.ts'
import type { Words } from '../words/words.ts'

export interface GateFacts {
  readonly locale: Locale
  /** Where the person goes afterwards. */
  readonly target: string
  /** Where the provider sends who was not let in. */
  readonly back: string
  readonly providerBusy: string
  readonly busy: string
  readonly show: string
  readonly hide: string
  readonly problems: Words['problems']
}

/** What the page of the console tells its script; the rest it asks for. */
export interface ConsoleFacts {
  readonly name: string
  readonly email: string
  /** Paths of the scripts that run in workers: what reads logs, and what lays charts out. */
  readonly logReader: string
  readonly chartEngine: string
  /** Where signing out leads. */
  readonly signIn: string
  /** Whether GraphiQL is served. */
  readonly sandbox: boolean
}
