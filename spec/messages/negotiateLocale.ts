/** Selects the language for a person: the supported language that is preferred most. */
import { type Locale, locales } from '../pages/locales.ts'

/** The maximum number of entries that are parsed. Browsers send a handful. */
const entryLimit = 32

/**
 * A language that is not supported becomes English. A language of a region is the language: `de-CH` is German.
 * @param accepted `Accept-Language`, or the language tag of a device, in which `_` is read as `-`
 */
export function negotiateLocale(accepted: string | undefined): Locale {
  const wanted = (accepted ?? '').split(',', entryLimit).map((entry) => {
    const [range = '', ...parameters] = entry.split(';').map((part) => part.trim().toLowerCase().replaceAll('_', '-'))
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
