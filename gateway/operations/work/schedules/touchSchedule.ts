/** The objects that a call about a schedule changes: the repository of its worktree, and the runs that a start would end. */
import { Failure } from '../../../../spec/core/failure.ts'
import { requireRow } from '../../core/rows.ts'
import type { TouchedObjects } from '../../tools/touched.ts'
import type { TypedViews } from '../../typedViews.ts'
import { endedByStart } from '../workflows/endedByStart.ts'

interface Context {
  readonly views: TypedViews
}

interface Start {
  readonly workflowId: string
  readonly worktreeId: string
}

async function repositoryOf(worktreeId: string, { views }: Context): Promise<TouchedObjects> {
  const worktree = await views.get('worktree', worktreeId)
  const codebase = worktree && (await views.get('codebase', worktree.init.codebaseId))
  const repositoryId = codebase?.context.repositoryId ?? null
  return repositoryId === null ? {} : { repositoryId }
}

async function startOf(scheduleId: string, { views }: Context): Promise<Start> {
  const { init, context } = await requireRow(views, 'schedule', scheduleId)
  return { workflowId: init.workflowId, worktreeId: context.content.worktreeId }
}

/** A call that starts nothing. */
export async function touchSchedule({ scheduleId }: { readonly scheduleId: string }, context: Context) {
  return await repositoryOf((await startOf(scheduleId, context)).worktreeId, context)
}

/** A call that starts the workflow now. */
export async function touchStartNow({ scheduleId }: { readonly scheduleId: string }, context: Context) {
  const start = await startOf(scheduleId, context)
  return { ...(await repositoryOf(start.worktreeId, context)), ...(await endedByStart(start, context)) }
}

/**
 * A call that leads to later starts. It is not known now which runs those would end, so a run can schedule only workflows whose starts end
 * none.
 */
export async function touchLaterStarts({ workflowId, worktreeId }: Start, context: Context): Promise<TouchedObjects> {
  const { rules } = (await requireRow(context.views, 'workflow', workflowId)).context
  const { overlapPolicy } = rules
  if (overlapPolicy === 'CANCEL_OTHER' || overlapPolicy === 'TERMINATE_OTHER')
    throw new Failure(
      'FORBIDDEN',
      `Runs can schedule only workflows whose starts end no other run, and the overlap policy of this one is ${overlapPolicy}. Ask a person to schedule it.`,
      { details: { workflowId, overlapPolicy } },
    )
  return await repositoryOf(worktreeId, context)
}

export async function touchLaterStartsOf(
  { scheduleId, worktreeId }: { readonly scheduleId: string; readonly worktreeId?: string },
  context: Context,
) {
  const start = await startOf(scheduleId, context)
  const before = await repositoryOf(start.worktreeId, context)
  const after = await touchLaterStarts({ ...start, ...(worktreeId === undefined ? {} : { worktreeId }) }, context)
  // A run moves a schedule neither to its own repository nor from it.
  if (before.repositoryId !== after.repositoryId)
    throw new Failure('FORBIDDEN', 'Runs cannot move a schedule to a worktree of another repository.', {
      details: { field: 'worktreeId' },
    })
  return after
}
