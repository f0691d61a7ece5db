/** The time that a page shows: the last hour, day, week, month, quarter or year, or chosen days. It is in the address: `time=own&from=2026-01-01&to=2026-01-31`. */

const dayMs = 86_400_000

/** In days, by their names in the address. */
const lengths = { hour: 1 / 24, day: 1, week: 7, month: 30, quarter: 90, year: 365 } as const

export type PeriodName = keyof typeof lengths | 'own'

export type PeriodProblem =
  | { readonly field: 'from' | 'to'; readonly type: 'missing' | 'wrongOrder' | 'future' }
  | { readonly field: 'to'; readonly type: 'tooLong'; readonly days: number; readonly limit: number }

export interface Period {
  readonly name: PeriodName
  /** The chosen days, `2026-01-31`. Both are within it. Otherwise ''. */
  readonly from: string
  readonly to: string
  /** Why the period cannot be shown. */
  readonly problem: PeriodProblem | undefined
}

export interface PeriodChoices {
  /** The first one is the default. */
  readonly names: readonly PeriodName[]
  /** The most days that can be chosen. */
  readonly daysMax: number
}

/** @param address its parameters. An unknown period is the default */
export function parsePeriod(
  address: Readonly<Record<string, string>>,
  { names, daysMax }: PeriodChoices,
  now: number,
): Period {
  const { time, from = '', to = '' } = address
  const name = names.find((each) => each === time) ?? names[0] ?? 'day'
  if (name !== 'own') return { name, from: '', to: '', problem: undefined }
  return { name, from, to, problem: findProblem(from, to, daysMax, now) }
}

function findProblem(from: string, to: string, daysMax: number, now: number): PeriodProblem | undefined {
  const [start, end] = [parseDay(from), parseDay(to)]
  if (start === undefined) return { field: 'from', type: 'missing' }
  if (end === undefined) return { field: 'to', type: 'missing' }
  if (start.getTime() >= now) return { field: 'from', type: 'future' }
  if (end < start) return { field: 'to', type: 'wrongOrder' }
  const days = Math.round((end.getTime() - start.getTime()) / dayMs) + 1
  return days > daysMax ? { field: 'to', type: 'tooLong', days, limit: daysMax } : undefined
}

/** Returns the beginning of a day in the time zone of the reader. Undefined if there is no such day. */
function parseDay(text: string): Date | undefined {
  const [year, month, day] = text.split('-').map(Number)
  if (!/^\d{4}-\d\d-\d\d$/.test(text) || year === undefined || month === undefined || day === undefined)
    return undefined
  const date = new Date(year, month - 1, day)
  return date.getMonth() === month - 1 && date.getFullYear() === year ? date : undefined
}

export interface TimeRange {
  /** RFC 3339. */
  readonly from: string
  /** Exclusive. */
  readonly to: string
}

/** Returns the time range of a period. Its `problem` must be undefined. A period that has not ended yet ends now. */
export function getTimeRange({ name, from, to }: Period, now: number): TimeRange {
  if (name !== 'own') return toRange(now - lengths[name] * dayMs, now)
  const [start, end] = [parseDay(from)?.getTime() ?? now, parseDay(to) ?? new Date(now)]
  return toRange(start, Math.min(now, new Date(end.getFullYear(), end.getMonth(), end.getDate() + 1).getTime()))
}

function toRange(from: number, to: number): TimeRange {
  return { from: new Date(from).toISOString(), to: new Date(to).toISOString() }
}

/** Returns the day of a time, in the zone of the reader. */
export function formatDay(ms: number): string {
  const date = new Date(ms)
  const pad = (value: number) => String(value).padStart(2, '0')
  return `${date.getFullYear()}-${pad(date.getMonth() + 1)}-${pad(date.getDate())}`
}

/** The IANA time zone of the reader. */
export const readerTimeZone = Intl.DateTimeFormat().resolvedOptions().timeZone
