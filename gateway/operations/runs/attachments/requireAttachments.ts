import { turnMembers } from '../../../../machines/work/turnKeys.ts'
import { Failure } from '../../../../spec/core/failure.ts'
import type { Principal } from '../../../../spec/core/principal.ts'
import { attachmentsMax } from '../../../../spec/runs/attachmentLimit.ts'
import { attachableMs, readAttachmentIds } from '../../../../spec/runs/attachments.ts'
import type { RequestContext } from '../../requestContext.ts'
import type { TypedViews } from '../../typedViews.ts'
import { type AttachmentRow, isStored } from './runAttachments.ts'

/**
 * Checks that a principal may give files to a new run, and returns their IDs for the `attachmentIds` of the run's `spec`. They are attached
 * by the first transition of the run, or by the session that queues it. So no file is attached to a run that does not exist.
 *
 * A user, and each of the user's API keys, may give the files that the user has uploaded. A run may give its own attachments.
 * @param ownerId for a follow-up: the plan or session, whose files it may have again
 *
 * @throws Failure BAD_USER_INPUT, NOT_FOUND, FORBIDDEN, FAILED_PRECONDITION
 */
export async function requireAttachments(
  ids: readonly string[] | null | undefined,
  { views, principal, now }: Pick<RequestContext, 'views' | 'principal' | 'now'>,
  ownerId?: string,
): Promise<readonly string[]> {
  const distinct = [...new Set(ids ?? [])]
  if (distinct.length === 0) return []
  if (distinct.length > attachmentsMax) throw wrong(`must have at most ${attachmentsMax} IDs`)
  const [rows, own] = await Promise.all([views.getMany('runAttachment', distinct), ownAttachments(principal, views)])
  for (const id of distinct) {
    const row = rows.get(id)
    if (row === undefined || !isStored(row)) throw notFound(id)
    if (own.has(id)) continue
    if (principal.kind === 'run' || row.init.uploadedBy !== userOf(principal))
      throw new Failure('FORBIDDEN', `attachmentIds: ${id} was uploaded by another user. Upload the file yourself.`, {
        details: { field: 'attachmentIds', id },
      })
    if (ownerId === undefined || !(await isOfOwner(row, ownerId, views))) requireUnattached(row, now)
  }
  return distinct
}

function requireUnattached({ id, context: { runId, expiresAt } }: AttachmentRow, now: number): void {
  if (runId !== null)
    throw new Failure(
      'FAILED_PRECONDITION',
      `attachmentIds: ${id} belongs to the run ${runId}. Upload the file again.`,
      {
        details: { field: 'attachmentIds', id, runId },
      },
    )
  if ((expiresAt ?? 0) - now < attachableMs)
    throw new Failure('FAILED_PRECONDITION', `attachmentIds: ${id} expires in a few minutes. Upload the file again.`, {
      details: { field: 'attachmentIds', id },
    })
}

/** Whether the file belongs to a run of the plan or session, or to a follow-up in its queue. */
async function isOfOwner({ context: { runId } }: AttachmentRow, ownerId: string, views: TypedViews): Promise<boolean> {
  if (runId === null) return false
  const [run, queued] = await Promise.all([
    views.get('run', runId),
    views.members(ownerId, turnMembers.queued.toKey(runId), 1),
  ])
  return run?.init.ownerId === ownerId || queued.length > 0
}

/** The attachments of the run that sends the request. */
async function ownAttachments(principal: Principal, views: TypedViews): Promise<ReadonlySet<string>> {
  if (principal.kind !== 'run') return new Set()
  const run = await views.get('run', principal.runId)
  return new Set(readAttachmentIds(run?.init.spec))
}

function userOf(principal: Principal): string | undefined {
  return 'userId' in principal ? principal.userId : undefined
}

function wrong(problem: string): Failure {
  return new Failure('BAD_USER_INPUT', `attachmentIds: ${problem}`, { details: { field: 'attachmentIds', problem } })
}

function notFound(id: string): Failure {
  return new Failure(
    'NOT_FOUND',
    `attachmentIds: there is no attachment ${id}. It may have expired: upload the file again.`,
    {
      details: { field: 'attachmentIds', id },
    },
  )
}
