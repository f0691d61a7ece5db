/** Lays out the chart of runs in advance. */
import type { Locale } from '../../spec/pages/locales.ts'
import type { Site } from '../../spec/pages/site.ts'
import type { GatewayOptions } from '../options.ts'

/**
 * Returns a function to call when a person opens a page, also that for signing in. For each language it lays out the chart of runs once: the
 * largest one, and the one that most people open first. The layout engine is slow at first, so other charts come sooner too.
 */
export function createChartPreparation(
  site: Site,
  { views, log }: Pick<GatewayOptions, 'views' | 'log'>,
): (locale: Locale) => void {
  const prepared = new Set<Locale>()
  const prepare = async (locale: Locale): Promise<void> => {
    const newest = (await views.definitions('run')).toSorted((a, b) => a.firstSeen - b.firstSeen).at(-1)
    if (newest === undefined) return
    const { hash, definition } = newest
    await site.findChartLayout({ locale, form: 'right', kind: 'RUN', hash }, definition)
  }
  return (locale) => {
    if (prepared.has(locale)) return
    prepared.add(locale)
    // The page itself requests the chart again, and shows an error.
    prepare(locale).catch((error: unknown) =>
      log.warn({ err: error, locale }, 'the chart of runs was not laid out in advance'),
    )
  }
}
