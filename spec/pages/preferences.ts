/** The preferences of a browser: cookies that the console sets and the server reads, so that a page is right from its first paint. */
import { type Locale, locales } from './locales.ts'

export const themes = ['light', 'dark'] as const

export type Theme = (typeof themes)[number]

export const preferenceCookies = { language: 'signalbox_language', theme: 'signalbox_theme' } as const

export interface Preferences {
  /** If undefined, the browser's languages decide. */
  readonly language: Locale | undefined
  /** If undefined, the color scheme of the browser is used. */
  readonly theme: Theme | undefined
}

/** Values that are none of these are ignored. @param cookie the `cookie` header, or `document.cookie` */
export function readPreferences(cookie: string | undefined): Preferences {
  const pairs = (cookie ?? '').split(';').map((pair) => pair.trim().split('='))
  const find = (name: string) => pairs.find(([own]) => own === name)?.[1]
  const [language, theme] = [find(preferenceCookies.language), find(preferenceCookies.theme)]
  return { language: locales.find((one) => one === language), theme: themes.find((one) => one === theme) }
}
