/** The numbers of coverage, in the language of the page. */
import { format, locale, messages } from '../messages.ts'

const percents = new Intl.NumberFormat(locale, { style: 'percent', maximumFractionDigits: 2 })
const changes = new Intl.NumberFormat(locale, { maximumFractionDigits: 2, signDisplay: 'exceptZero' })

/** @param percent from 0 to 100. Null without lines */
export function formatPercent(percent: number | null): string {
  return percent === null ? '–' : percents.format(percent / 100)
}

/** @param change percentage points. Null if there is nothing to compare with */
export function formatChange(change: number | null): string {
  return change === null ? '–' : format(messages.builds.coverage.points, { number: changes.format(change) })
}
