import { Failure } from '../../../../spec/core/failure.ts'
import type { Principal } from '../../../../spec/core/principal.ts'
import { attachmentBlob, readAttachmentIds } from '../../../../spec/runs/attachments.ts'
import type { Blobs } from '../../../../storage/ports/blobs.ts'
import type { HttpRequest } from '../../../http/request.ts'
import type { Answer } from '../../../http/route.ts'
import { sendBlob } from '../../core/files/sendBlob.ts'
import { notFound } from '../../core/rows.ts'
import type { TypedViews } from '../../typedViews.ts'
import { type AttachmentRow, isStored, toStored } from './runAttachments.ts'

/** @throws Failure NOT_FOUND if its bytes have not arrived, or are gone */
export async function requireStored(id: string, views: Pick<TypedViews, 'get'>): Promise<AttachmentRow> {
  const row = await views.get('runAttachment', id)
  if (row === undefined || !isStored(row)) throw notFound('runAttachment', id)
  return row
}

/** The file, or the range of it that the request asks for. @throws Failure NOT_FOUND if the blob is lost */
export async function sendAttachment(row: AttachmentRow, request: HttpRequest, blobs: Blobs): Promise<Answer> {
  const answer = await sendBlob({ ...toStored(row), blob: attachmentBlob(row.id) }, request, blobs)
  if (answer === undefined) throw notFound('runAttachment', row.id)
  return answer
}

/** @throws Failure FORBIDDEN unless a run of the caller that has not ended has the attachment */
export async function requireOwnRun(row: AttachmentRow, principal: Principal, views: TypedViews): Promise<void> {
  if (await hasOwnRun(row, principal, views)) return
  throw new Failure(
    'FORBIDDEN',
    principal.kind === 'run'
      ? 'This run does not have the attachment, or has ended.'
      : 'No run with this attachment executes on this agent, or it has ended.',
    { details: { id: row.id } },
  )
}

async function hasOwnRun({ id, context }: AttachmentRow, principal: Principal, views: TypedViews): Promise<boolean> {
  const has = (run: Awaited<ReturnType<typeof views.get<'run'>>>): boolean =>
    run !== undefined && !run.columns.terminal && readAttachmentIds(run.init.spec).includes(id)
  if (principal.kind === 'run') return has(await views.get('run', principal.runId))
  if (principal.kind !== 'agent') return false
  const { agentId } = principal
  const first = context.runId === null ? undefined : await views.get('run', context.runId)
  if (first?.init.agentId === agentId && has(first)) return true
  // A retry, or a run that the first one has started.
  return (await views.living('run', [agentId])).some(has)
}
