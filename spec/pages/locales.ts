/** The languages of what people read. */
export const locales = ['en', 'de', 'fr', 'es', 'ja'] as const

export type Locale = (typeof locales)[number]
