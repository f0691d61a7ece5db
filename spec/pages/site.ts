/** What the gateway needs to know of the pages that people see: `clients/console` makes them, the gateway serves them. */
import type { Locale } from './locales.ts'

export const encodings = ['br', 'gzip'] as const

/** A file for browsers. Its path has a hash of what is in it, so it never changes. */
export interface Asset {
  readonly contentType: string
  readonly bytes: Uint8Array
  /** Where compressing it pays: done when it is asked for first, and kept. */
  readonly compressed: Partial<Readonly<Record<(typeof encodings)[number], () => Promise<Uint8Array>>>>
}

/** What the server offers for signing in. */
export interface Ways {
  readonly password: boolean
  readonly provider?: { readonly id: string; readonly name: string } | undefined
}

/** How a page is asked for, and in which language it is answered. */
export interface Setting {
  readonly locale: Locale
  /** The language stands in the path; links stay in it. */
  readonly localized: boolean
}

export type View = Setting &
  (
    | {
        readonly page: 'signIn' | 'register'
        readonly ways: Ways
        readonly registrationOpen: boolean
        /** There is no account yet. */
        readonly first: boolean
        /** A path of this server, where the person goes afterwards, if that was asked for. */
        readonly target?: string | undefined
        /** What became of a sign-in at the provider, as the callback names it. Anybody can write it into a URL. */
        readonly problem?: string | undefined
      }
    | { readonly page: 'console'; readonly name: string; readonly email: string; readonly sandbox: boolean }
    | {
        readonly page: 'problem'
        /** Why: the reason that the refusal gives, else its code. */
        readonly code: string
        readonly status: number
        readonly requestId: string
      }
  )

export interface Site {
  /** By path. */
  readonly assets: ReadonlyMap<string, Asset>
  /** A whole page of HTML, in which nothing of the view is markup. */
  render(view: View): string
}
