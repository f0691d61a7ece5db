import type { Locale } from '../../../spec/pages/locales.ts'
import { de } from './de.ts'
import { en } from './en.ts'
import { es } from './es.ts'
import { fr } from './fr.ts'
import { ja } from './ja.ts'
import type { Words } from './words.ts'

export const wordsOf: Readonly<Record<Locale, Words>> = { en, de, fr, es, ja }
