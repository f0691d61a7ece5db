import type * as v from 'valibot'
import type { Firing } from '../../../../machines/work/scheduleFirings.ts'
import { scheduleMembers } from '../../../../machines/work/scheduleKeys.ts'
import { toDateTime } from '../../../../spec/core/types.ts'
import {
  scheduleFiring as firingSchema,
  firingsMax,
  type scheduleFiring,
  scheduleFirings,
  scheduleSchema,
} from '../../../../spec/work/schedules/schedules.ts'
import { requesterBy } from '../../accounts/requester.ts'
import type { Additions, ObjectType, PartType } from '../../objectType.ts'

export const scheduleFiringType: PartType = {
  name: 'ScheduleFiring',
  schema: firingSchema,
  relations: {
    run: {
      type: 'one',
      target: 'WorkflowRun',
      by: 'runId',
      nullable: true,
      description: 'The run. Null while it is requested, and if the start was refused.',
    },
  },
}

function toFiring(firing: Firing): v.InferInput<typeof scheduleFiring> {
  const { scheduledAt, firedAt } = firing
  return { ...firing, scheduledAt: toDateTime(scheduledAt), firedAt: toDateTime(firedAt) }
}

/** The part of a schedule that lists leave out. */
export const latestFirings = {
  firings: {
    type: 'derived',
    output: scheduleFirings,
    nullable: false,
    description: `The latest firings, newest first, at most ${firingsMax}.`,
    load: async (parents, { views }) =>
      await Promise.all(
        parents.map(async ({ id }) => {
          const members = await views.members(String(id), scheduleMembers.firing.prefix, firingsMax)
          return members.map(({ value }) => toFiring(value as Firing)).reverse()
        }),
      ),
  },
} as const satisfies Additions

export const scheduleType: ObjectType<'schedule', typeof scheduleSchema> = {
  name: 'Schedule',
  kind: 'schedule',
  schema: scheduleSchema,
  relations: {
    ...latestFirings,
    workflow: {
      type: 'one',
      target: 'Workflow',
      by: 'workflowId',
      nullable: true,
      description: 'The workflow that it starts.',
    },
    worktree: {
      type: 'one',
      target: 'Worktree',
      by: 'worktreeId',
      nullable: true,
      description: 'The worktree on which the workflow is started. Null if it was removed.',
    },
    createdBy: {
      ...requesterBy('createdById'),
      description: 'The user, API key or run that created the schedule. Null if the user was removed.',
    },
  },
  fromRow: ({ id, init, context, columns, createdAt, value }) => {
    const { content, problem, lastFiring, lastMissedAt } = context
    const { startAt, endAt, ...fields } = content
    const orNull = (ms: number | null) => (ms === null ? null : toDateTime(ms))
    return {
      ...fields,
      ...{ id, workflowId: init.workflowId, startAt: orNull(startAt), endAt: orNull(endAt) },
      status: columns.status as v.InferOutput<typeof scheduleSchema>['status'],
      nextTimes: context.nextTimes.map(toDateTime),
      isPaused: (value as { readonly lifecycle?: unknown }).lifecycle === 'PAUSED',
      pauseReason: context.pauseReason,
      firedCount: context.fired,
      missedCount: context.missed,
      lastMissedAt: orNull(lastMissedAt),
      waitingCount: context.waiting,
      lastFiring: lastFiring && toFiring(lastFiring),
      problem: problem && { code: problem.code, message: problem.message },
      revision: context.revision,
      createdById: init.createdBy,
      createdAt: toDateTime(createdAt),
      updatedAt: toDateTime(context.updatedAt),
    }
  },
}
