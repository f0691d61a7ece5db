/** Schedules: workflows that start at the times of a cron expression. */
import * as v from 'valibot'
import { connectionOf, orderByOf, pageArguments } from '../../core/connections.ts'
import { oneById } from '../../core/oneById.ts'
import { query } from '../../core/operation.ts'
import { problem } from '../../core/problem.ts'
import { revision } from '../../core/revision.ts'
import { atMost, dateTime, id, idOf, int, json, named } from '../../core/types.ts'

export const scheduleStatus = named(
  'ScheduleStatus',
  'The status of a schedule. INCIDENT: the start of its workflow has failed repeatedly and waits for an operator.',
  v.picklist(['ACTIVE', 'PAUSED', 'INCIDENT', 'DELETED']),
)

const firingCause = named(
  'ScheduleFiringCause',
  'SCHEDULE: a time of the schedule. TRIGGER: `triggerSchedule`. BACKFILL: `backfillSchedule`.',
  v.picklist(['SCHEDULE', 'TRIGGER', 'BACKFILL']),
)

export const scheduleFiring = named(
  'ScheduleFiring',
  'One start of the workflow by its schedule.',
  v.object({
    number: v.pipe(int, v.description('Counts the firings of the schedule from 1.')),
    scheduledAt: v.pipe(dateTime, v.description('The time of the schedule, without its jitter.')),
    firedAt: v.pipe(dateTime, v.description('The time at which the run was requested.')),
    cause: firingCause,
    runId: v.pipe(v.nullable(id), v.description('The run. Null while it is requested, and if the start was refused.')),
    problem: v.pipe(
      v.nullable(problem),
      v.description('The refusal of the start. GIVEN_UP: an operator gave it up. Null if it was not refused.'),
    ),
  }),
)

/** The number of next times and of firings that are shown. */
const nextTimesMax = 5
export const firingsMax = 20

export const scheduleSchema = named(
  'Schedule',
  'Starts a workflow on a worktree at the times of a cron expression.',
  v.object({
    id,
    name: v.string(),
    status: scheduleStatus,
    workflowId: id,
    worktreeId: id,
    cron: v.string(),
    timeZone: v.string(),
    jitterSeconds: int,
    catchUpWindowSeconds: int,
    startAt: v.nullable(dateTime),
    endAt: v.nullable(dateTime),
    inputs: v.pipe(json, v.description('The inputs of the workflow at each start.')),
    nextTimes: v.pipe(
      atMost(nextTimesMax, dateTime),
      v.description('The next times, without their jitter. Empty if it is paused or deleted, or has no more times.'),
    ),
    isPaused: v.pipe(
      v.boolean(),
      v.description('Whether it is paused. Its status is INCIDENT if an effect of it has failed too.'),
    ),
    pauseReason: v.pipe(v.nullable(v.string()), v.description('The reason of the pause. Null if none was given.')),
    firedCount: v.pipe(int, v.description('The number of firings.')),
    missedCount: v.pipe(int, v.description('The number of times that passed outside the catch-up window.')),
    lastMissedAt: v.pipe(v.nullable(dateTime), v.description('The latest time that was missed.')),
    waitingCount: v.pipe(int, v.description('The number of firings that wait for the start of an earlier one.')),
    lastFiring: v.pipe(v.nullable(scheduleFiring), v.description('Null before the first firing.')),
    problem: v.pipe(
      v.nullable(problem),
      v.description(
        'The refusal of the latest start. Null after a successful start, and after the schedule was edited or paused.',
      ),
    ),
    revision,
    createdById: v.pipe(id, v.description('The user, API key or run that created the schedule.')),
    createdAt: dateTime,
    updatedAt: dateTime,
  }),
)

export const scheduleFirings = atMost(firingsMax, scheduleFiring)

export const schedules = query({
  name: 'schedules',
  description: 'Schedules, newest first, without deleted ones unless `statuses` names DELETED.',
  access: 'people',
  tool: {
    group: 'runs',
    name: 'get_schedules',
    title: 'List schedules',
    description:
      'Lists the schedules (starts of workflows at the times of a cron expression), newest first, each with its next times and ' +
      'its last firing. `get_schedule` returns the latest 20 firings of one.',
  },
  input: v.object({
    ...pageArguments,
    orderBy: orderByOf('Schedule', ['CREATED_AT']),
    workflowId: v.pipe(v.nullish(idOf('workflow')), v.description('Returns only schedules of this workflow.')),
    worktreeId: v.pipe(v.nullish(idOf('worktree')), v.description('Returns only schedules on this worktree.')),
    statuses: v.pipe(
      v.nullish(v.pipe(v.array(scheduleStatus), v.maxLength(4))),
      v.description('Returns only schedules with one of these statuses. Default: all but DELETED.'),
    ),
  }),
  output: connectionOf('Schedule', scheduleSchema),
})

export const schedule = query({
  ...oneById('schedule', scheduleSchema),
  tool: {
    group: 'runs',
    name: 'get_schedule',
    title: 'Get a schedule',
    description:
      'Returns one schedule by its ID (`sch_…`): its cron expression, its next times, and its latest firings with their runs or ' +
      'the reasons why they were refused. `trigger_schedule` starts its workflow now.',
  },
})
