/** Divides a time into buckets for a chart. */
import { Failure } from '../../../spec/core/failure.ts'
import { type BucketSize, bucketsMax } from '../../../spec/core/timeBuckets.ts'
import { toDateTime } from '../../../spec/core/types.ts'
import { offsetAt } from '../../../spec/work/schedules/zoneOffsets.ts'

const minuteMs = 60_000
const dayMs = 86_400_000

const lengths: Readonly<Record<BucketSize, number>> = {
  MINUTE: minuteMs,
  FIVE_MINUTES: 5 * minuteMs,
  QUARTER_HOUR: 15 * minuteMs,
  HOUR: 60 * minuteMs,
  DAY: dayMs,
  WEEK: 7 * dayMs,
}

export interface Buckets {
  readonly size: BucketSize
  /** The beginnings of the buckets and the end of the last one, milliseconds since 1970. */
  readonly edges: readonly number[]
}

/**
 * Chooses the shortest buckets of which at most 200 fill the time, with the two that it may cut. They begin at full minutes, hours, days or Mondays of the time zone. The
 * first and the last one are shorter if the time begins or ends within one.
 */
export function bucketsOf(from: number, to: number, timeZone: string, shortest: BucketSize = 'MINUTE'): Buckets {
  const all = Object.keys(lengths) as BucketSize[]
  const sizes = all.slice(all.indexOf(shortest))
  const size = sizes.find((one) => (to - from) / lengths[one] <= bucketsMax - 2) ?? 'WEEK'
  const edges = [from]
  for (let at = nextStart(from, size, timeZone); at < to; at = nextStart(at, size, timeZone)) edges.push(at)
  return { size, edges: [...edges, to] }
}

function nextStart(after: number, size: BucketSize, timeZone: string): number {
  const local = after + offsetAt(timeZone, after)
  if (size === 'DAY') return startOfDay(Math.floor(local / dayMs) + 1, timeZone)
  if (size === 'WEEK') {
    // 1970-01-01 was a Thursday.
    const sinceMonday = (Math.floor(local / dayMs) + 3) % 7
    return startOfDay(Math.floor(local / dayMs) + 7 - sinceMonday, timeZone)
  }
  const length = lengths[size]
  return after + length - (((local % length) + length) % length)
}

/** @param day the local date, in days since 1970 */
function startOfDay(day: number, timeZone: string): number {
  const utc = day * dayMs
  // The offset may change during the night, and midnight may then not exist, or exist twice.
  const starts = [utc - dayMs, utc + dayMs].map((near) => utc - offsetAt(timeZone, near)).sort((a, b) => a - b)
  const [first = utc, last = utc] = starts
  return Math.floor((first + offsetAt(timeZone, first)) / dayMs) >= day ? first : last
}

/** @throws Failure BAD_USER_INPUT */
export function requireRange(from: number, to: number, daysMax: number): void {
  if (from >= to) {
    throw new Failure(
      'BAD_USER_INPUT',
      `\`from\` must be before \`to\`. \`from\` is ${toDateTime(from)} and \`to\` is ${toDateTime(to)}.`,
      { details: { field: 'from' } },
    )
  }
  if (to - from > daysMax * dayMs) {
    throw new Failure(
      'BAD_USER_INPUT',
      `The time from \`from\` to \`to\` has ${Math.ceil((to - from) / dayMs)} days. It must have at most ${daysMax}.`,
      { details: { field: 'from' } },
    )
  }
}
