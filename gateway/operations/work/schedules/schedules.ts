import { workflowMembers } from '../../../../machines/work/workflowKeys.ts'
import type { ActorEvent, Json } from '../../../../spec/core/actor.ts'
import { Failure } from '../../../../spec/core/failure.ts'
import { principalName } from '../../../../spec/core/principal.ts'
import { expecting } from '../../../../spec/core/revision.ts'
import { readArguments } from '../../../../spec/work/argumentValues.ts'
import {
  backfillSchedule,
  createSchedule,
  deleteSchedule,
  pauseSchedule,
  resumeSchedule,
  triggerSchedule,
  updateSchedule,
} from '../../../../spec/work/schedules/scheduleChanges.ts'
import { schedule, schedules } from '../../../../spec/work/schedules/schedules.ts'
import { readDefinition } from '../../../../spec/work/workflows/storedDefinition.ts'
import { pageOfRows } from '../../core/connections.ts'
import { oneRow } from '../../core/oneRow.ts'
import { oneMessage, requireKind } from '../../core/replies.ts'
import { requireRow } from '../../core/rows.ts'
import { handle } from '../../handler.ts'
import type { RequestContext } from '../../requestContext.ts'
import { usableWorktree } from '../../runs/newRuns.ts'
import { restrictingRun } from '../../tools/requestingRun.ts'
import { toScheduleContent } from './scheduleContent.ts'
import { latestFirings, scheduleType } from './scheduleType.ts'
import { touchLaterStarts, touchLaterStartsOf, touchSchedule, touchStartNow } from './touchSchedule.ts'

const toSchedule = (id: string, event: ActorEvent, context: RequestContext<'presence'>) =>
  oneMessage({ to: { kind: 'schedule', id }, event }, (row) => ({ schedule: scheduleType.fromRow(row, context) }))

/** A draft has nothing to start, and an archived workflow starts nothing. */
async function requirePublished(workflowId: string, { views }: RequestContext<'views'>): Promise<void> {
  const { status } = (await requireRow(views, 'workflow', workflowId)).columns
  if (status !== 'PUBLISHED')
    throw new Failure(
      'FAILED_PRECONDITION',
      `workflowId: the workflow is ${status}. Only a PUBLISHED workflow can be scheduled.`,
      { details: { field: 'workflowId', workflowId, state: status } },
    )
}

/** The published version decides. A later version may have other inputs: its start is then refused. @throws Failure BAD_USER_INPUT */
async function requireInputs(
  workflowId: string,
  inputs: Readonly<Record<string, unknown>>,
  { views }: RequestContext<'views'>,
): Promise<void> {
  const [published] = await views.members(workflowId, workflowMembers.published, 1)
  if (published === undefined) return
  const { inputs: declared } = readDefinition(published.value as Json)
  readArguments(declared, inputs, { field: 'inputs', owner: 'workflow' })
}

/** The run whose authority the starts have at most, if a run sends the request. */
async function restriction({ principal, views }: RequestContext<'views'>): Promise<{ readonly restrictedBy?: string }> {
  const restrictedBy = await restrictingRun(principal, views)
  return restrictedBy === undefined ? {} : { restrictedBy }
}

export const scheduleHandlers = [
  handle(schedules, ['views', 'presence'], {
    read: ({ statuses, workflowId, worktreeId, ...page }, context) =>
      pageOfRows(
        context.views,
        {
          kind: 'schedule',
          where: { ...(workflowId ? { scopeId: workflowId } : {}), ...(worktreeId ? { worktreeId } : {}) },
          statuses: statuses ?? ['ACTIVE', 'PAUSED', 'INCIDENT'],
        },
        page,
        (row) => scheduleType.fromRow(row, context),
      ),
  }),
  handle(schedule, ['views', 'presence'], {
    additions: latestFirings,
    read: oneRow(scheduleType),
  }),
  handle(createSchedule, ['views', 'presence', 'ids'], {
    touches: touchLaterStarts,
    repeat: {
      message: 0,
      answer: ({ row }, context) => ({ schedule: scheduleType.fromRow(requireKind('schedule', row), context) }),
    },
    translate: async ({ workflowId, ...input }, context) => {
      const content = toScheduleContent(input, context.now)
      await requirePublished(workflowId, context)
      await requireInputs(workflowId, content.inputs, context)
      await usableWorktree(input.worktreeId, context)
      const to = { kind: 'schedule', id: context.ids.newId('schedule') } as const
      const create = {
        ...{ workflowId, content, createdBy: principalName(context.principal), createdAt: context.now },
        ...(await restriction(context)),
      }
      return oneMessage({ to, event: { type: 'create' }, create }, (row) => ({
        schedule: scheduleType.fromRow(row, context),
      }))
    },
  }),
  handle(updateSchedule, ['views', 'presence'], {
    touches: touchLaterStartsOf,
    translate: async ({ scheduleId, expectedRevision, ...input }, context) => {
      const content = toScheduleContent(input, context.now)
      const { context: present, init } = await requireRow(context.views, 'schedule', scheduleId)
      await requireInputs(init.workflowId, content.inputs, context)
      if (present.content.worktreeId !== input.worktreeId) await usableWorktree(input.worktreeId, context)
      const event = { type: 'update', content, ...expecting(expectedRevision), ...(await restriction(context)) }
      return toSchedule(scheduleId, event, context)
    },
  }),
  handle(pauseSchedule, ['views', 'presence'], {
    touches: touchSchedule,
    translate: ({ scheduleId, reason }, context) =>
      toSchedule(scheduleId, { type: 'pause', pauseReason: reason ?? null }, context),
  }),
  handle(resumeSchedule, ['views', 'presence'], {
    touches: touchLaterStartsOf,
    translate: ({ scheduleId }, context) => toSchedule(scheduleId, { type: 'resume' }, context),
  }),
  handle(deleteSchedule, ['views', 'presence'], {
    touches: touchSchedule,
    translate: ({ scheduleId }, context) => toSchedule(scheduleId, { type: 'delete' }, context),
  }),
  handle(triggerSchedule, ['views', 'presence'], {
    touches: touchStartNow,
    translate: async ({ scheduleId }, context) =>
      toSchedule(scheduleId, { type: 'trigger', ...(await restriction(context)) }, context),
  }),
  handle(backfillSchedule, ['views', 'presence'], {
    touches: touchStartNow,
    translate: async ({ scheduleId, from, to }, context) =>
      toSchedule(scheduleId, { type: 'backfill', from, to, ...(await restriction(context)) }, context),
  }),
]
