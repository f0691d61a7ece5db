/** The offsets of IANA time zones from UTC, and the instants at which they change. They are those of the time zone database of Node.js. */

const dayMs = 86_400_000

const formats = new Map<string, Intl.DateTimeFormat>()
/** There are some 600 zones, but each has many spellings: `europe/BERLIN` is one of `Europe/Berlin`. */
const formatsMax = 1_000

/** @throws RangeError if there is no such zone */
function formatOf(timeZone: string): Intl.DateTimeFormat {
  const known = formats.get(timeZone)
  if (known !== undefined) return known
  const format = new Intl.DateTimeFormat('en-US', { timeZone, timeZoneName: 'longOffset' })
  if (formats.size >= formatsMax) formats.clear()
  formats.set(timeZone, format)
  return format
}

/** Whether it is the name of a zone: `Europe/Berlin`. An offset such as `+02:00` is not, because it has no daylight saving. */
export function isTimeZone(timeZone: string): boolean {
  if (!/^[A-Z][A-Za-z0-9_+\-/]*$/.test(timeZone)) return false
  try {
    formatOf(timeZone)
    return true
  } catch {
    return false
  }
}

/** The offset at an instant: local time minus UTC, in milliseconds. */
export function offsetAt(timeZone: string, instant: number): number {
  const text = formatOf(timeZone).format(instant)
  const [, sign, hours = '0', minutes = '0', seconds = '0'] = /GMT([+-])(\d\d):(\d\d)(?::(\d\d))?$/.exec(text) ?? []
  const ms = (Number(hours) * 3_600 + Number(minutes) * 60 + Number(seconds)) * 1_000
  return sign === '-' ? -ms : ms
}

/** The changes of a zone in one year: a search costs some 400 µs. */
const changesByYear = new Map<string, readonly number[]>()
const yearsMax = 5_000

/** The first instant after `after` and up to `upTo` from which another offset applies. Undefined if there is none. */
export function nextOffsetChange(timeZone: string, after: number, upTo: number): number | undefined {
  const lastYear = new Date(upTo).getUTCFullYear()
  for (let year = new Date(after).getUTCFullYear(); year <= lastYear; year++) {
    const change = changesIn(timeZone, year).find((instant) => instant > after)
    if (change !== undefined) return change <= upTo ? change : undefined
  }
  return undefined
}

/** Each day is compared with the next one. No zone has changed its offset twice within a day. */
function changesIn(timeZone: string, year: number): readonly number[] {
  const key = `${timeZone} ${year}`
  const known = changesByYear.get(key)
  if (known !== undefined) return known
  const changes: number[] = []
  const end = Date.UTC(year + 1, 0, 1)
  let offset = offsetAt(timeZone, Date.UTC(year, 0, 1) - 1)
  for (let day = Date.UTC(year, 0, 1) - 1; day < end - 1; day += dayMs) {
    const next = Math.min(day + dayMs, end - 1)
    const nextOffset = offsetAt(timeZone, next)
    if (nextOffset !== offset) changes.push(findChange(timeZone, day, next, offset))
    offset = nextOffset
  }
  if (changesByYear.size >= yearsMax) changesByYear.clear()
  changesByYear.set(key, changes)
  return changes
}

/** The first instant at which the offset is no longer `offset`, which it is at `before` and not at `after`. */
function findChange(timeZone: string, before: number, after: number, offset: number): number {
  let [from, to] = [before, after]
  while (to - from > 1) {
    const middle = Math.floor((from + to) / 2)
    if (offsetAt(timeZone, middle) === offset) from = middle
    else to = middle
  }
  return to
}
