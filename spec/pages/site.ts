/** The interface between the gateway, which serves the pages, and `clients/console`, which renders them. */
import type { ChartRequest } from './chartPath.ts'
import type { Locale } from './locales.ts'
import type { Theme } from './preferences.ts'

export const encodings = ['br', 'gzip'] as const

/** A file for browsers. */
export interface Asset {
  readonly contentType: string
  readonly bytes: Uint8Array
  /** Encodings that make the file smaller. Each is compressed at the first request and then kept. */
  readonly compressed: Partial<Readonly<Record<(typeof encodings)[number], () => Promise<Uint8Array>>>>
}

/** The sign-in methods that the server offers. */
export interface Ways {
  readonly password: boolean
  readonly provider?: { readonly id: string; readonly name: string } | undefined
}

/** The language of a page, and its colors. */
export interface PageSetting {
  readonly locale: Locale
  /** The path contains the language, and links keep it. */
  readonly localized: boolean
  /** If undefined, the color scheme of the browser is used. */
  readonly theme?: Theme | undefined
}

export type View = PageSetting &
  (
    | {
        readonly page: 'signIn' | 'register'
        readonly ways: Ways
        readonly registrationOpen: boolean
        /** No account exists yet. */
        readonly first: boolean
        /** A path of this server to which the user goes after the sign-in, if the request has one. */
        readonly target?: string | undefined
        /** The error of a sign-in at the provider, as the callback names it. Any person can write it into a URL. */
        readonly problem?: string | undefined
      }
    | { readonly page: 'console'; readonly name: string; readonly email: string; readonly sandbox: boolean }
    | {
        readonly page: 'install'
        readonly platform: 'IOS' | 'ANDROID'
        readonly title: string
        readonly version: string | null
        /** The name of the build, with its number. */
        readonly build: string
        /** Bytes. */
        readonly size: number
        /** Installs or downloads the app. */
        readonly href: string
      }
    | {
        readonly page: 'problem'
        /** The reason of the refusal, or else its code. */
        readonly code: string
        readonly status: number
        readonly requestId: string
      }
  )

export interface Site {
  /** The assets by path. A path contains a hash of the content, so the content of a path never changes. */
  readonly assets: ReadonlyMap<string, Asset>
  /** The layout of a statechart. @param definition the definition that the request's hash belongs to */
  findChartLayout(request: ChartRequest, definition: string): Promise<Asset>
  /** A complete HTML page. Texts of the view are escaped. */
  render(view: View): string
}
