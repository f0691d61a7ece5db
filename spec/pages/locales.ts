/** The languages of the user interface. */
export const locales = ['en', 'de', 'fr', 'es', 'ja'] as const

export type Locale = (typeof locales)[number]
