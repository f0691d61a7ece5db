/**
 * The times of a schedule by a search of every minute, independent of the code that it checks: each instant is formatted in the zone, and the
 * fields of the wall time are compared with the expression.
 */

const weekdays = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat']
const formats = new Map<string, Intl.DateTimeFormat>()

function formatOf(timeZone: string): Intl.DateTimeFormat {
  const known = formats.get(timeZone)
  if (known !== undefined) return known
  const format = new Intl.DateTimeFormat('en-US', {
    ...({ timeZone, hourCycle: 'h23', weekday: 'short', month: 'numeric', day: 'numeric' } as const),
    ...({ hour: 'numeric', minute: 'numeric' } as const),
  })
  formats.set(timeZone, format)
  return format
}

/** The numbers that match a field of numbers, `*`, lists, ranges and `/`. */
function numbersOf(field: string, min: number, max: number): ReadonlySet<number> {
  const numbers = new Set<number>()
  for (const item of field.split(',')) {
    const [range = '', every = '1'] = item.split('/')
    const [from, to = from] = range === '*' ? [min, max] : range.split('-').map(Number)
    for (let number = from ?? min; number <= (to ?? max); number += Number(every)) numbers.add(number)
  }
  return numbers
}

/** @returns the times after `after`, up to `upTo`, milliseconds since 1970 */
export function everyMinuteTimes(cron: string, timeZone: string, after: number, upTo: number): readonly number[] {
  const [minute = '', hour = '', day = '', month = '', weekday = ''] = cron.split(' ')
  const minutes = numbersOf(minute, 0, 59)
  const hours = numbersOf(hour, 0, 23)
  const days = numbersOf(day, 1, 31)
  const months = numbersOf(month, 1, 12)
  const ofWeek = new Set([...numbersOf(weekday, 0, 6)].map((number) => number % 7))
  const isEither = day !== '*' && weekday !== '*'
  const found: number[] = []
  const format = formatOf(timeZone)
  for (let at = (Math.floor(after / 60_000) + 1) * 60_000; at <= upTo; at += 60_000) {
    const [, named = '', inMonth, onDay, inHour, inMinute] =
      /^(\w+), (\d+)\/(\d+), (\d+):(\d+)$/.exec(format.format(at)) ?? []
    if (named === '') throw new Error(`unexpected format: ${format.format(at)}`)
    if (!minutes.has(Number(inMinute)) || !hours.has(Number(inHour)) || !months.has(Number(inMonth))) continue
    const [fitsDay, fitsWeekday] = [days.has(Number(onDay)), ofWeek.has(weekdays.indexOf(named))]
    if (isEither ? fitsDay || fitsWeekday : fitsDay && fitsWeekday) found.push(at)
  }
  return found
}
