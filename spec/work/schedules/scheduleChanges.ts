/** The mutations of schedules. */
import * as v from 'valibot'
import { idempotencyKey } from '../../core/idempotencyKey.ts'
import { mutation } from '../../core/operation.ts'
import { expectedRevision } from '../../core/revision.ts'
import { idOf, named, text } from '../../core/types.ts'
import { instant } from '../../telemetry/instant.ts'
import { scheduleFields } from './content.ts'
import { scheduleSchema } from './schedules.ts'

/** The maximum number of times of one backfill. */
export const backfillMax = 1_000

const scheduleId = idOf('schedule')
const payload = (typeName: string) =>
  named(typeName, 'The schedule after the change.', v.object({ schedule: scheduleSchema }))

export const createSchedule = mutation({
  name: 'createSchedule',
  description: 'Creates a schedule of a published workflow. It is active at once.',
  access: 'people',
  tool: {
    openWorld: true,
    group: 'runs',
    title: 'Create a schedule',
    description:
      'Creates a schedule: it starts a published workflow on a worktree at each time of a cron expression in a time zone. The ' +
      'workflow’s `overlapPolicy` applies to each start. `nextTimes` of the answer shows when it starts next.',
  },
  input: v.object({ workflowId: idOf('workflow'), ...scheduleFields, idempotencyKey }),
  output: payload('CreateSchedulePayload'),
})

export const updateSchedule = mutation({
  name: 'updateSchedule',
  description:
    'Replaces the content of a schedule. Times that have come before fire as before. Omitted optional fields get their defaults.',
  access: 'people',
  tool: {
    openWorld: true,
    group: 'runs',
    title: 'Change a schedule',
    description:
      'Replaces the whole content of a schedule: pass every field that should stay, as `get_schedule` returns it. Pass the ' +
      '`revision` that you have read as `expectedRevision`, so that no change is lost.',
    idempotent: true,
  },
  input: v.object({ scheduleId, ...scheduleFields, expectedRevision }),
  output: payload('UpdateSchedulePayload'),
})

export const pauseSchedule = mutation({
  name: 'pauseSchedule',
  description: 'Pauses a schedule. Times that come before it is resumed do not fire, and are not counted as missed.',
  access: 'people',
  tool: {
    group: 'runs',
    title: 'Pause a schedule',
    description: 'Pauses a schedule: it starts nothing until `resume_schedule`. Runs that have started continue.',
    idempotent: true,
  },
  input: v.object({
    scheduleId,
    reason: v.pipe(v.nullish(text({ max: 500 })), v.description('Shown as `pauseReason`.')),
  }),
  output: payload('PauseSchedulePayload'),
})

export const resumeSchedule = mutation({
  name: 'resumeSchedule',
  description: 'Resumes a paused schedule from now on. `backfillSchedule` fires times that passed while it was paused.',
  access: 'people',
  tool: {
    openWorld: true,
    group: 'runs',
    title: 'Resume a schedule',
    description:
      'Resumes a paused schedule from now on. Times that passed while it was paused do not fire: `backfill_schedule` fires them.',
    idempotent: true,
  },
  input: v.object({ scheduleId }),
  output: payload('ResumeSchedulePayload'),
})

export const deleteSchedule = mutation({
  name: 'deleteSchedule',
  description: 'Deletes a schedule. Firings that wait do not take place. Runs that have started continue.',
  access: 'people',
  tool: { group: 'runs', title: 'Delete a schedule', destroys: true, idempotent: true },
  input: v.object({ scheduleId }),
  output: payload('DeleteSchedulePayload'),
})

export const triggerSchedule = mutation({
  name: 'triggerSchedule',
  description: 'Starts the workflow of a schedule now, also if it is paused. Its times stay as they are.',
  access: 'people',
  tool: {
    openWorld: true,
    group: 'runs',
    title: 'Trigger a schedule',
    description:
      'Starts the workflow of a schedule now, also if it is paused. The run is requested at once: `lastFiring` of `get_schedule` ' +
      'has its `runId` a moment later.',
  },
  input: v.object({ scheduleId, idempotencyKey }),
  output: payload('TriggerSchedulePayload'),
})

export const backfillSchedule = mutation({
  name: 'backfillSchedule',
  description: `Fires each time of a schedule in an interval of the past once, in order, also if it is paused. At most ${backfillMax} times.`,
  access: 'people',
  tool: {
    openWorld: true,
    group: 'runs',
    title: 'Backfill a schedule',
    description:
      `Fires each time that the schedule had between \`from\` and \`to\` (inclusive, in the past) once, in order, at most ${backfillMax} ` +
      'times. Times that have fired before fire again, so choose an interval in which the schedule did not fire.',
  },
  input: v.object({
    scheduleId,
    from: v.pipe(instant, v.description('The beginning of the interval, inclusive.')),
    to: v.pipe(instant, v.description('The end of the interval, inclusive. It is not in the future.')),
    idempotencyKey,
  }),
  output: payload('BackfillSchedulePayload'),
})
