import { ReadableStream as ByteStream } from 'node:stream/web'
import { Failure } from '../../../../spec/core/failure.ts'
import type { Principal } from '../../../../spec/core/principal.ts'
import { attachmentBlob, readAttachmentIds } from '../../../../spec/runs/attachments.ts'
import type { Blobs } from '../../../../storage/ports/blobs.ts'
import { json } from '../../../http/answer.ts'
import { restError } from '../../../http/failures.ts'
import { requestedRange } from '../../../http/range.ts'
import type { HttpRequest } from '../../../http/request.ts'
import type { Answer } from '../../../http/route.ts'
import { notFound } from '../../core/rows.ts'
import type { TypedViews } from '../../typedViews.ts'
import { attachedAs } from './fileName.ts'
import { type AttachmentRow, isStored, toStored } from './runAttachments.ts'

/** A browser may only save the file, even if its user opens it in a tab. */
const filePolicy = "sandbox; default-src 'none'; frame-ancestors 'none'"

/** @throws Failure NOT_FOUND if its bytes have not arrived, or are gone */
export async function requireStored(id: string, views: Pick<TypedViews, 'get'>): Promise<AttachmentRow> {
  const row = await views.get('runAttachment', id)
  if (row === undefined || !isStored(row)) throw notFound('runAttachment', id)
  return row
}

/** The file, or the range of it that the request asks for. @throws Failure NOT_FOUND if the blob is lost */
export async function sendAttachment(row: AttachmentRow, request: HttpRequest, blobs: Blobs): Promise<Answer> {
  const { name, size, contentType, sha256 } = toStored(row)
  const blob = attachmentBlob(row.id)
  if ((await blobs.size(blob)) !== size) throw notFound('runAttachment', row.id)
  const etag = `"${sha256}"`
  const whole = { from: 0, to: size }
  let range: typeof whole | undefined
  try {
    range = requestedRange(request.headers, size, etag)
  } catch (error) {
    if (!(error instanceof Failure) || error.code !== 'RANGE_NOT_SATISFIABLE') throw error
    return json(416, { error: restError(error, request.requestId) }, { 'content-range': `bytes */${size}` })
  }
  const { from, to } = range ?? whole
  return {
    status: range === undefined ? 200 : 206,
    headers: {
      'content-type': contentType,
      'content-disposition': attachedAs(name),
      'content-security-policy': filePolicy,
      'accept-ranges': 'bytes',
      etag,
      ...(range === undefined ? {} : { 'content-range': `bytes ${from}-${to - 1}/${size}` }),
    },
    stream: ByteStream.from(blobs.read(blob, from, to)) as ReadableStream<Uint8Array>,
    length: to - from,
  }
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
