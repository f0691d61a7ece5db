/** In which language somebody reads: the best of those that their browser asks for and there are. */
import { type Locale, locales } from '../../spec/pages/locales.ts'
import type { Setting } from '../../spec/pages/site.ts'
import type { RequestHead } from './request.ts'

/** Entries of a header that are looked at; browsers send a handful. */
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

/** Where no language stands in the path. */
export function browsersOwn({ headers }: Pick<RequestHead, 'headers'>): Setting {
  return { locale: languageOf(headers.get('accept-language')), localized: false }
}
