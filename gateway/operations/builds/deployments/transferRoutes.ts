/** The REST routes of a transfer: the source sends the bytes, and the target reads them. */
import type * as v from 'valibot'
import type { TypedRow } from '../../../../machines/rows.ts'
import { transferRoutes } from '../../../../spec/builds/deployments/transferRoutes.ts'
import { uploadBlob } from '../../../../spec/builds/uploads.ts'
import { Failure } from '../../../../spec/core/failure.ts'
import { siblingId } from '../../../../spec/core/ids.ts'
import { type Principal, principalName } from '../../../../spec/core/principal.ts'
import type { Blobs } from '../../../../storage/ports/blobs.ts'
import { json } from '../../../http/answer.ts'
import { requestedRange } from '../../../http/range.ts'
import type { HttpRequest } from '../../../http/request.ts'
import type { Answer } from '../../../http/route.ts'
import type { Origin, System } from '../../../messages.ts'
import { requireEpoch } from '../../agents/agentSession.ts'
import { sendBlob } from '../../core/files/sendBlob.ts'
import { numberHeader, requireOctets } from '../../core/octets.ts'
import { requireKind } from '../../core/replies.ts'
import { notFound } from '../../core/rows.ts'
import { type ParamsOf, type RestCall, type ServedRoute, serve } from '../../restHandler.ts'
import type { ContextOf } from '../../worktrees/codebaseRoutes.ts'
import type { UploadReceiver } from '../uploads/uploadReceiver.ts'
import { transferObject } from './deploymentObjects.ts'

export interface TransferParts {
  readonly receiver: UploadReceiver<TypedRow<'upload'>>
  readonly system: Pick<System, 'peek' | 'ask'>
  readonly blobs: Blobs
  readonly limits: { readonly transferChunkBytes: number }
  readonly contextOf: ContextOf
}

type Call = RestCall<undefined, undefined, ParamsOf<typeof transferRoutes.readTransfer>>
type Transfer = TypedRow<'artifactTransfer'>
type Side = 'source' | 'target'

export function serveTransfers(parts: TransferParts): readonly ServedRoute[] {
  return [
    serve(transferRoutes.readTransfer, async (call) => {
      const { transfer, side } = await requireOwn(call, parts)
      if (!call.request.headers.has('range')) return json(200, await toState(transfer, parts))
      requireSide('target', side)
      return await sendRange(call, transfer, parts)
    }),
    serve(transferRoutes.inspectTransfer, async (call) => {
      const { transfer } = await requireOwn(call, parts)
      return offsetAnswer(200, await offsetOf(transfer, parts), transfer)
    }),
    serve(transferRoutes.sendTransferChunk, (call) => receive(call, parts)),
    serve(transferRoutes.completeTransfer, async (call) => {
      const { transfer, side } = await requireOwn(call, parts)
      return json(200, await toState(await complete(call, transfer, side, parts), parts))
    }),
  ]
}

/** @throws Failure NOT_FOUND */
async function find(id: string, system: TransferParts['system']): Promise<Transfer> {
  const row = await system.peek({ kind: 'artifactTransfer', id })
  if (row === undefined || row.columns.status === 'EXPIRED') throw notFound('artifactTransfer', id)
  return requireKind('artifactTransfer', row)
}

/** @throws Failure NOT_FOUND, FAILED_PRECONDITION */
async function send(
  { id }: Transfer,
  event: { readonly type: 'download' | 'complete' },
  { request, principal }: Call,
  { system }: TransferParts,
): Promise<Transfer> {
  try {
    const origin = { ...originOf(request, principal), receivedAt: request.receivedAt }
    return requireKind(
      'artifactTransfer',
      (await system.ask({ to: { kind: 'artifactTransfer', id }, event }, origin)).row,
    )
  } catch (error) {
    // It may have ended just before, for example because its time is over. The answer is then that of later requests.
    if (error instanceof Failure && error.code === 'FAILED_PRECONDITION') requireOpen(await find(id, system))
    throw error
  }
}

/** @throws Failure NOT_FOUND, FORBIDDEN, STALE_EPOCH, BAD_USER_INPUT */
async function requireOwn({ request, principal, params }: Call, { system, contextOf }: TransferParts) {
  const epoch = numberHeader(request, 'X-Agent-Epoch')
  const agentId = await requireEpoch(epoch, contextOf(request, principal))
  const transfer = await find(params.transferId, system)
  const { sourceAgentId, targetAgentId } = transfer.init
  if (agentId !== sourceAgentId && agentId !== targetAgentId)
    throw new Failure('FORBIDDEN', 'This transfer belongs to other agents.', { details: { id: params.transferId } })
  // A build that is deployed on its own machine has one agent for both.
  const side: Side | 'both' = sourceAgentId === targetAgentId ? 'both' : agentId === sourceAgentId ? 'source' : 'target'
  return { transfer, side }
}

/** @throws Failure FORBIDDEN */
function requireSide(needed: Side, side: Side | 'both'): void {
  if (side === needed || side === 'both') return
  const action = needed === 'source' ? 'send' : 'read'
  throw new Failure('FORBIDDEN', `Only the ${needed} of a transfer may ${action} its bytes.`)
}

/** @throws Failure FAILED_PRECONDITION, CHECKSUM_MISMATCH */
function requireOpen({ id, columns, context }: Transfer): void {
  if (!columns.terminal || columns.status === 'COMPLETED') return
  const { code, message } = context.problem ?? { code: 'TRANSFER_ENDED', message: 'The transfer has ended.' }
  if (code === 'CHECKSUM_MISMATCH') throw new Failure('CHECKSUM_MISMATCH', message)
  throw new Failure('FAILED_PRECONDITION', message, { details: { id, problem: code } })
}

const uploadIdOf = ({ init }: Transfer): string => siblingId('upload', init.artifactId)

/** Zero if the first byte has not been sent, or if the bytes are gone. */
async function offsetOf(transfer: Transfer, { system }: TransferParts): Promise<number> {
  const row = await system.peek({ kind: 'upload', id: uploadIdOf(transfer) })
  return row === undefined ? 0 : requireKind('upload', row).context.offset
}

async function toState(
  transfer: Transfer,
  parts: TransferParts,
): Promise<v.InferInput<(typeof transferRoutes.readTransfer.answers)[200]['body']>> {
  const { sha256 } = transfer.init
  return { ...transferObject(transfer), sha256, offset: await offsetOf(transfer, parts) }
}

function offsetAnswer(status: number, offset: number, { init }: Transfer): Answer {
  return { status, headers: { 'upload-offset': String(offset), 'upload-length': String(init.size) } }
}

async function receive(call: Call, parts: TransferParts): Promise<Answer> {
  const { request, principal } = call
  const { transfer, side } = await requireOwn(call, parts)
  requireSide('source', side)
  requireOpen(transfer)
  requireOctets(request, 'application/offset+octet-stream')
  const length = numberHeader(request, 'Content-Length')
  const { transferChunkBytes } = parts.limits
  if (length > transferChunkBytes)
    throw new Failure('PAYLOAD_TOO_LARGE', `A chunk has at most ${transferChunkBytes} bytes.`, {
      details: { limit: transferChunkBytes },
    })
  const upload = await parts.receiver.receive(uploadIdOf(transfer), {
    offset: numberHeader(request, 'Upload-Offset'),
    body: request.body,
    length,
    origin: originOf(request, principal),
  })
  return offsetAnswer(204, upload.context.offset, transfer)
}

const originOf = (request: HttpRequest, principal: Principal): Omit<Origin, 'receivedAt'> => ({
  cause: 'agent',
  principal: principalName(principal),
  requestId: request.requestId,
})

async function complete(call: Call, transfer: Transfer, side: Side | 'both', parts: TransferParts): Promise<Transfer> {
  requireOpen(transfer)
  const { request, principal } = call
  const origin = originOf(request, principal)
  const isStored = ['READY', 'DOWNLOADING', 'COMPLETED'].includes(transfer.columns.status)
  if (side !== 'source' && isStored) return await send(transfer, { type: 'complete' }, call, parts)
  if (side === 'target')
    throw new Failure('FAILED_PRECONDITION', 'The file is not stored yet, so it cannot be complete.', {
      details: { id: transfer.id, problem: 'NOT_STORED' },
    })
  await parts.receiver.verify(uploadIdOf(transfer), origin)
  return requireKind(
    'artifactTransfer',
    (await parts.system.peek({ kind: 'artifactTransfer', id: transfer.id })) ?? transfer,
  )
}

/** @throws Failure FAILED_PRECONDITION, BAD_USER_INPUT, NOT_FOUND */
async function sendRange(call: Call, transfer: Transfer, parts: TransferParts): Promise<Answer> {
  requireOpen(transfer)
  const { request } = call
  const { status } = transfer.columns
  if (status === 'CREATED' || status === 'UPLOADING')
    throw new Failure('FAILED_PRECONDITION', 'The file is not stored yet. Ask again in a few seconds.', {
      details: { id: transfer.id, problem: 'NOT_STORED' },
    })
  const { name, size, sha256 } = transfer.init
  const file = { name, size, sha256, contentType: 'application/octet-stream', blob: uploadBlob(uploadIdOf(transfer)) }
  requireUsableRange(request, size, sha256)
  if (status === 'READY') await send(transfer, { type: 'download' }, call, parts)
  return (await sendBlob(file, request, parts.blobs)) ?? Promise.reject(notFound('artifactTransfer', transfer.id))
}

/** A range that means nothing would be answered with the whole file. @throws Failure BAD_USER_INPUT */
function requireUsableRange({ headers }: HttpRequest, size: number, sha256: string): void {
  try {
    if (requestedRange(headers, size, `"${sha256}"`) !== undefined) return
  } catch (error) {
    // `sendBlob` answers it.
    if (error instanceof Failure && error.code === 'RANGE_NOT_SATISFIABLE') return
    throw error
  }
  const problem = 'must be one range of bytes, such as `bytes=0-1048575`'
  throw new Failure('BAD_USER_INPUT', `Range: ${problem}`, { details: { field: 'Range', problem } })
}
