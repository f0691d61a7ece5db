import type { Locale } from '../pages/locales.ts'
import { de } from './de.ts'
import { en } from './en.ts'
import { es } from './es.ts'
import { fr } from './fr.ts'
import { ja } from './ja.ts'
import type { Messages } from './messages.ts'

/** The messages of each language. */
export const catalog: Readonly<Record<Locale, Messages>> = { en, de, fr, es, ja }
