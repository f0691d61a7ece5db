/** Selects the page language: the supported language that the browser prefers most. */
import { type Locale, locales } from '../../spec/pages/locales.ts'
import type { Setting } from '../../spec/pages/site.ts'
import type { RequestHead } from './request.ts'

/** The maximum number of header entries that are parsed. Browsers send a handful. */
const entries = 32

/** @param header `Accept-Language` */
export function languageOf(header: string | undefined): Locale {
  const wanted = (header ?? '').split(',', entries).map((entry) => {
    const [range = '', ...parameters] = entry.split(';').map((part) => part.trim().toLowerCase())
    const quality = parameters.find((parameter) => parameter.startsWith('q='))
    return { range, quality: quality === undefined ? 1 : Number(quality.slice(2)) || 0 }
  })
  const best = wanted.filter(({ quality }) => quality > 0).sort((a, b) => b.quality - a.quality)
  for (const { range } of best) {
    const found = locales.find((locale) => range === locale || range.startsWith(`${locale}-`))
    if (found !== undefined) return found
    if (range === '*') break
  }
  return 'en'
}

/** The setting for paths that contain no language. */
export function browsersOwn({ headers }: Pick<RequestHead, 'headers'>): Setting {
  return { locale: languageOf(headers.get('accept-language')), localized: false }
}
