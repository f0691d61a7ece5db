/** Calculates the next times of a schedule while it is written, as the server does. */
import { cronProblem } from '../../../../../spec/work/schedules/cron.ts'
import { nextTimes } from '../../../../../spec/work/schedules/scheduledTimes.ts'
import { isTimeZone } from '../../../../../spec/work/schedules/zoneOffsets.ts'

const count = 5

/** Undefined while the expression or the zone is not complete. */
export function previewTimes(cron: string, timeZone: string): readonly string[] | undefined {
  if (cronProblem(cron) !== undefined || !isTimeZone(timeZone)) return undefined
  const times = nextTimes({ cron, timeZone, startAt: null, endAt: null }, Date.now(), count)
  return times.map((ms) => new Date(ms).toISOString())
}
