/** The times that the horizontal axis of a chart names: those at which an hour, a day, a month or another round unit begins. */
import { locale } from '../../messages.ts'
import type { TimeSlot } from './chartSeries.ts'

export interface TimeTick {
  /** The slot that begins there. */
  readonly index: number
  readonly label: string
}

/** The local time as if it were UTC, so that units are counted without the zone. */
function toLocalMs(date: Date): number {
  return date.getTime() - date.getTimezoneOffset() * 60_000
}

interface Unit {
  /** Returns the number of the unit that has the time. */
  readonly count: (date: Date) => number
  readonly form: 'time' | 'day' | 'month' | 'year'
}

const minuteMs = 60_000
const dayMs = 86_400_000
const countMonths = (date: Date) => 12 * date.getFullYear() + date.getMonth()
const everyMinutes = (minutes: number): Unit => ({
  count: (date) => Math.floor(toLocalMs(date) / (minutes * minuteMs)),
  form: 'time',
})
/** The first day of 1970 was a Thursday, so a week begins three days before. */
const everyDays = (days: number): Unit => ({
  count: (date) => Math.floor((Math.floor(toLocalMs(date) / dayMs) + 3) / days),
  form: 'day',
})

const units: readonly Unit[] = [
  ...[5, 10, 15, 30, 60, 120, 180, 360, 720].map(everyMinutes),
  ...[1, 2, 7, 14].map(everyDays),
  { count: countMonths, form: 'month' },
  { count: (date) => Math.floor(countMonths(date) / 3), form: 'month' },
  { count: (date) => date.getFullYear(), form: 'year' },
]

const forms = {
  time: new Intl.DateTimeFormat(locale, { hour: 'numeric', minute: '2-digit' }),
  day: new Intl.DateTimeFormat(locale, { month: 'short', day: 'numeric' }),
  month: new Intl.DateTimeFormat(locale, { month: 'short', year: 'numeric' }),
  year: new Intl.DateTimeFormat(locale, { year: 'numeric' }),
}

/** Returns the ticks of the smallest unit that has at most so many of them. */
export function listTimeTicks(slots: readonly TimeSlot[], ticksMax: number): readonly TimeTick[] {
  const dates = slots.map(({ from }) => new Date(from))
  for (const { count, form } of units) {
    const numbers = dates.map(count)
    const starts = numbers.flatMap((number, index) => (index > 0 && number !== numbers[index - 1] ? [index] : []))
    if (starts.length <= ticksMax) return starts.map((index) => ({ index, label: formatTick(dates[index], form) }))
  }
  return []
}

/** Midnight is shown as its day. */
function formatTick(date: Date | undefined, form: Unit['form']): string {
  if (date === undefined) return ''
  const isMidnight = date.getHours() === 0 && date.getMinutes() === 0
  return forms[form === 'time' && isMidnight ? 'day' : form].format(date)
}

const dayRange = new Intl.DateTimeFormat(locale, { dateStyle: 'medium' })
const timeRange = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'short' })

/** Returns the time of a slot. Days are shown without hours. */
export function formatSlot({ from, to }: TimeSlot, hasWholeDays: boolean): string {
  const [start, end] = [Date.parse(from), Date.parse(to)]
  return hasWholeDays ? dayRange.formatRange(start, Math.max(start, end - 1)) : timeRange.formatRange(start, end)
}

/** Whether the slots are days or longer. The first and the last one may be cut. */
export function hasWholeDays(slots: readonly TimeSlot[]): boolean {
  return slots.some(({ from, to }) => Date.parse(to) - Date.parse(from) >= 20 * 60 * minuteMs)
}
