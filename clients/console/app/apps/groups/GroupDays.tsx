/** The crashes of a group on each of the last days. */
import { format, messages } from '../../messages.ts'
import { countUnit } from '../../parts/charts/chartUnits.ts'
import { TimeChart } from '../../parts/charts/TimeChart.tsx'
import type { CrashGroup } from './crashGroup.ts'

const texts = messages.crashGroups

const shownDays = 30

export function GroupDays({ days }: { readonly days: CrashGroup['days'] }) {
  const counts = new Map(days.map(({ date, reportCount }) => [date, reportCount]))
  const dates = listLastDates(new Date(), shownDays)
  return (
    <TimeChart
      title={texts.byDay}
      note={format(texts.byDayNote, { days: shownDays })}
      marks="bars"
      unit={countUnit}
      slots={dates.map((date) => ({ from: toLocalMidnight(date, 0), to: toLocalMidnight(date, 1) }))}
      series={[{ name: texts.title, tone: 'failed', values: dates.map((date) => counts.get(date) ?? 0) }]}
    />
  )
}

/** Returns the last dates in UTC, the earliest first: `2026-11-28`. The last one is that of `now`. */
export function listLastDates(now: Date, count: number): readonly string[] {
  return Array.from({ length: count }, (_, index) => {
    const ms = Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), now.getUTCDate() - (count - 1 - index))
    return new Date(ms).toISOString().slice(0, 10)
  })
}

/** The dates are days in UTC, but the chart labels days in local time. So a day begins at the local midnight of its date. */
function toLocalMidnight(date: string, daysLater: number): string {
  const [year = 0, month = 1, day = 1] = date.split('-').map(Number)
  return new Date(year, month - 1, day + daysLater).toISOString()
}
