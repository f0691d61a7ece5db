import type { ScheduleContent } from '../../../../machines/work/scheduleTimes.ts'
import { Failure } from '../../../../spec/core/failure.ts'
import { catchUpDefaultSeconds, type ScheduleInput } from '../../../../spec/work/schedules/content.ts'
import { nextTime } from '../../../../spec/work/schedules/scheduledTimes.ts'

/** The content of a schedule with its defaults. @throws Failure BAD_USER_INPUT if it would never fire */
export function toScheduleContent(input: ScheduleInput, now: number): ScheduleContent {
  const content: ScheduleContent = {
    name: input.name,
    worktreeId: input.worktreeId,
    cron: input.cron.trim(),
    timeZone: input.timeZone,
    jitterSeconds: input.jitterSeconds ?? 0,
    catchUpWindowSeconds: input.catchUpWindowSeconds ?? catchUpDefaultSeconds,
    startAt: input.startAt ?? null,
    endAt: input.endAt ?? null,
    inputs: (input.inputs ?? {}) as ScheduleContent['inputs'],
  }
  refuseNever(content, now)
  return content
}

function refuseNever(content: ScheduleContent, now: number): void {
  const { cron, timeZone, startAt, endAt } = content
  if (nextTime({ cron, timeZone, startAt: null, endAt: null }, now) === undefined)
    throw wrong('cron', `"${cron}" never comes: no year has such a day. Correct the day of month or the month.`)
  if (endAt !== null && endAt <= now) throw wrong('endAt', 'must be in the future.')
  if (startAt !== null && endAt !== null && startAt > endAt) throw wrong('startAt', 'must not be after `endAt`.')
  if (nextTime(content, now) === undefined)
    throw wrong('endAt', `"${cron}" has no time before it. Choose a later end, or omit it.`)
}

function wrong(field: string, problem: string): Failure {
  return new Failure('BAD_USER_INPUT', `${field}: ${problem}`, { details: { field } })
}
