/** The languages of the user interface. */
export const locales = ['en', 'de', 'fr', 'es', 'ja'] as const

export type Locale = (typeof locales)[number]

/** Each language's own name. */
export const languageNames: Readonly<Record<Locale, string>> = {
  en: 'English',
  de: 'Deutsch',
  fr: 'Français',
  es: 'Español',
  ja: '日本語',
}
