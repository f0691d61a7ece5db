import type { TypedRow } from '../../../../machines/rows.ts'
import type { ActorEvent, Json } from '../../../../spec/core/actor.ts'
import { attachmentBlob } from '../../../../spec/runs/attachments.ts'
import { json } from '../../../http/answer.ts'
import { readFileOfForm } from '../../../http/multipart.ts'
import type { Answer } from '../../../http/route.ts'
import type { Limits } from '../../../limits/limits.ts'
import type { GatewayOptions } from '../../../options.ts'
import { requireSignedIn } from '../../accounts/requireSignedIn.ts'
import { DiskRoom } from '../../core/diskRoom.ts'
import { plainContentType, plainFileName } from '../../core/files/fileName.ts'
import { requireKind } from '../../core/replies.ts'
import { originOf } from '../../executeMutation.ts'
import type { RestCall } from '../../restHandler.ts'
import type { ContextOf } from '../../worktrees/codebaseRoutes.ts'
import { toStored } from './runAttachments.ts'
import { storeBytes } from './storeBytes.ts'

export interface UploadServices {
  readonly options: Pick<GatewayOptions, 'system' | 'views' | 'blobs' | 'ids' | 'clock' | 'log'>
  readonly limits: Limits
  readonly contextOf: ContextOf
}

/**
 * Stores an uploaded file: first its actor, then its bytes, then the fact that all of them are there. So whatever fails or crashes, the
 * actor deletes the bytes.
 */
export async function uploadAttachment(
  call: RestCall,
  { options, limits, contextOf }: UploadServices,
): Promise<Answer> {
  const { request } = call
  const { system, views, blobs, ids, clock, log } = options
  const { userId } = requireSignedIn(call.principal)
  const id = ids.next('runAttachment')
  const context = contextOf(request, call.principal)
  const send = async (
    event: ActorEvent,
    create?: Readonly<Record<string, Json>>,
  ): Promise<TypedRow<'runAttachment'>> => {
    const envelope = { to: { kind: 'runAttachment', id }, event, ...(create ? { create } : {}) } as const
    // The upload may take long. The file expires a day after its last byte, not after the beginning of the request.
    const origin = { ...originOf(undefined, context), receivedAt: clock.now() }
    return requireKind('runAttachment', (await system.ask(envelope, origin)).row)
  }
  const store = { blobs, room: new DiskRoom({ blobs, views, reserve: limits.diskReserveBytes }) }
  const form = { field: 'file', limit: limits.attachmentBytes, withinMs: limits.uploadMs }
  /** If it fails, the actor expires. It deletes the bytes too, but its end may have come before the first of them was written. */
  const abandon = async () => {
    await send({ type: 'abandon' })
    await blobs.remove(attachmentBlob(id))
  }
  let isCreated = false
  try {
    const bytes = await readFileOfForm(request, form, async (file) => {
      const [name, contentType] = [plainFileName(file.name), plainContentType(file.contentType)]
      await store.room.requireForNew(Number(request.headers.get('content-length') ?? 0))
      await send({ type: 'create' }, { name, contentType, uploadedBy: userId, createdAt: context.now })
      isCreated = true
      return await storeBytes(attachmentBlob(id), file.bytes, store)
    })
    return json(201, toStored(await send({ type: 'stored', ...bytes })))
  } catch (error) {
    if (isCreated)
      await abandon().catch((problem: unknown) => log.warn({ err: problem, id }, 'failed upload not removed'))
    throw error
  }
}
