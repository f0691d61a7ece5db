/** When a schedule fires next, with its jitter, and which times have come. */
import type { Json } from '../../spec/core/actor.ts'
import { nextTime, nextTimes, type ScheduleTimes } from '../../spec/work/schedules/scheduledTimes.ts'

/** The part of a schedule that people edit. */
export type ScheduleContent = ScheduleTimes & {
  readonly name: string
  readonly worktreeId: string
  /** The maximum delay of a firing. */
  readonly jitterSeconds: number
  /** A firing that could not take place for longer than this is missed. */
  readonly catchUpWindowSeconds: number
  /** Passed to the workflow at each start. */
  readonly inputs: Readonly<Record<string, Json>>
}

export type ScheduledTime = {
  readonly scheduledAt: number
  /** `scheduledAt` and the jitter. */
  readonly dueAt: number
}

/** The number of next times that are shown. */
export const shownTimes = 5
/** The most times that one transition counts as missed. The rest follows in the next one. */
const missedAtOnce = 500

/** The next time after another one. Its jitter ends before the time after it, so the order stays. */
export function nextScheduled(id: string, content: ScheduleContent, after: number): ScheduledTime | null {
  const scheduledAt = nextTime(content, after)
  if (scheduledAt === undefined) return null
  const maximum = content.jitterSeconds * 1_000
  if (maximum === 0) return { scheduledAt, dueAt: scheduledAt }
  const following = nextTime(content, scheduledAt)
  const bound = following === undefined ? maximum : Math.min(maximum, following - scheduledAt)
  return { scheduledAt, dueAt: scheduledAt + Math.floor(fraction(`${id} ${scheduledAt}`) * bound) }
}

export function listNextTimes(content: ScheduleContent, after: number): readonly number[] {
  return nextTimes(content, after, shownTimes)
}

export interface DueTimes {
  /** Those that fire, in their order. */
  readonly due: readonly ScheduledTime[]
  /** The number of those that are missed, and the latest of them. */
  readonly missed: number
  readonly lastMissedAt: number | null
  /** The first one that is not taken. */
  readonly next: ScheduledTime | null
}

/** Takes times that have come: at most `limit` that fire, and those before them that are missed. */
export function takeDue(
  id: string,
  content: ScheduleContent,
  first: ScheduledTime | null,
  at: number,
  limit: number,
): DueTimes {
  const due: ScheduledTime[] = []
  let missed = 0
  let lastMissedAt: number | null = null
  let next = first
  while (next !== null && next.dueAt <= at && missed < missedAtOnce && due.length < limit) {
    if (at - next.dueAt > content.catchUpWindowSeconds * 1_000) {
      missed++
      lastMissedAt = next.scheduledAt
    } else {
      due.push(next)
    }
    next = nextScheduled(id, content, next.scheduledAt)
  }
  return { due, missed, lastMissedAt, next }
}

/** A number from 0 to below 1 that follows from a text: FNV-1a, and the finalizer of MurmurHash3, which spreads similar texts. */
function fraction(text: string): number {
  let hash = 0x811c9dc5
  for (let index = 0; index < text.length; index++) hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193)
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b)
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35)
  return ((hash ^ (hash >>> 16)) >>> 0) / 0x1_0000_0000
}
