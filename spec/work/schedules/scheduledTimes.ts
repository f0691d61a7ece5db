/**
 * The times of a schedule. Daylight saving is handled as Temporal does it: a wall time that does not exist, because clocks are set forward,
 * is no time of the schedule. A wall time that exists twice, because clocks are set back, is two.
 */
import { nextWallTime } from './cron.ts'
import { nextOffsetChange, offsetAt } from './zoneOffsets.ts'

export type ScheduleTimes = {
  readonly cron: string
  /** The name of an IANA time zone. */
  readonly timeZone: string
  /** Milliseconds since 1970, inclusive. Null: without a bound. */
  readonly startAt: number | null
  readonly endAt: number | null
}

/**
 * The first time of a schedule after an instant. Undefined if there is none.
 *
 * The instants are taken in segments of one offset. Within a segment the wall time advances with the instant, so the next matching wall time
 * is the next time, unless the segment ends before it.
 * @param after milliseconds since 1970
 */
export function nextTime({ cron, timeZone, startAt, endAt }: ScheduleTimes, after: number): number | undefined {
  let from = startAt === null ? after : Math.max(after, startAt - 1)
  for (;;) {
    const offset = offsetAt(timeZone, from + 1)
    const wall = nextWallTime(cron, from + offset)
    if (wall === undefined) return undefined
    const instant = wall - offset
    const change = nextOffsetChange(timeZone, from + 1, instant)
    if (change === undefined) return endAt === null || instant <= endAt ? instant : undefined
    from = change - 1
    if (endAt !== null && from >= endAt) return undefined
  }
}

/** The times after an instant in their order, at most `limit`. */
export function nextTimes(times: ScheduleTimes, after: number, limit: number): readonly number[] {
  const found: number[] = []
  for (let last = after; found.length < limit; ) {
    const next = nextTime(times, last)
    if (next === undefined) break
    found.push(next)
    last = next
  }
  return found
}
