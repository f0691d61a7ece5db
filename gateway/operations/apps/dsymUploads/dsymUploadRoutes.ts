/** The routes of dSYMs: uploads in chunks, by plain HTTP or by tus, and their list. */
import type * as v from 'valibot'
import type { TypedRow } from '../../../../machines/rows.ts'
import { chunkType, dsymUploadInput, dsymUploadRoutes } from '../../../../spec/apps/dsymUploadRoutes.ts'
import { Failure } from '../../../../spec/core/failure.ts'
import { principalName } from '../../../../spec/core/principal.ts'
import { toDateTime } from '../../../../spec/core/types.ts'
import { json } from '../../../http/answer.ts'
import { readJson } from '../../../http/jsonBody.ts'
import type { Answer } from '../../../http/route.ts'
import type { Limits } from '../../../limits/limits.ts'
import type { Origin, System } from '../../../messages.ts'
import type { UploadReceiver } from '../../builds/uploads/uploadReceiver.ts'
import { pageOfRows } from '../../core/connections.ts'
import type { DiskRoom } from '../../core/diskRoom.ts'
import { numberHeader, requireOctets } from '../../core/octets.ts'
import { parseInput } from '../../core/parseInput.ts'
import { requireKind } from '../../core/replies.ts'
import { wrongField } from '../../core/wrongField.ts'
import { type RestCall, type ServedRoute, serve } from '../../restHandler.ts'
import type { ContextOf } from '../../worktrees/codebaseRoutes.ts'
import { requireApp } from '../bundleIdentifier.ts'
import type { DsymCompletions } from './completions.ts'
import { createDsymUpload } from './createDsymUpload.ts'
import { expiryOf } from './expiry.ts'
import { answerTus, hasFirstBytes, isTus, metadataOf, readCreation, tusCapabilities } from './tus.ts'
import { resultOf, toIndexedDsym } from './uploadResult.ts'

type Upload = TypedRow<'dsymUpload'>

export interface DsymUploadParts {
  readonly receiver: UploadReceiver<Upload>
  readonly completions: DsymCompletions
  readonly system: Pick<System, 'ask'>
  readonly room: DiskRoom
  readonly limits: Limits
  readonly contextOf: ContextOf
}

export function serveDsymUploads(
  parts: DsymUploadParts,
  { uploadBytes }: Pick<Limits, 'uploadBytes'>,
): readonly ServedRoute[] {
  const capabilities = tusCapabilities(uploadBytes)
  return [
    {
      ...serve(dsymUploadRoutes.createDsymUpload, (call) => answerTus(call.request, () => create(call, parts))),
      capabilities,
    },
    {
      ...serve(dsymUploadRoutes.inspectDsymUpload, ({ request, params }) =>
        answerTus(request, async () => inspected(await parts.receiver.find(params.uploadId))),
      ),
      capabilities,
    },
    serve(dsymUploadRoutes.sendDsymChunk, ({ request, principal, params }) =>
      answerTus(request, async () => {
        requireOctets(request, chunkType)
        const offset = numberHeader(request, 'Upload-Offset')
        const row = await receive(params.uploadId, offset, { request, principal }, parts)
        return { status: 204, headers: offsetHeaders(row) }
      }),
    ),
    serve(dsymUploadRoutes.deleteDsymUpload, ({ request, principal, params }) =>
      answerTus(request, async () => {
        await parts.receiver.find(params.uploadId)
        await send(params.uploadId, { type: 'delete' }, { request, principal }, parts)
        return { status: 204 }
      }),
    ),
    serve(dsymUploadRoutes.completeDsymUpload, async ({ request, principal, params }) => {
      const { receiver, completions, contextOf } = parts
      await receiver.find(params.uploadId)
      const asked = await send(params.uploadId, { type: 'complete' }, { request, principal }, parts)
      const ended = await completions.wait(asked, request.lifetime.signal)
      if (ended.columns.status === 'INDEXED' || ended.columns.status === 'DUPLICATE')
        return json(200, await resultOf(ended, contextOf(request, principal).views))
      // A deleted or expired one is NOT_FOUND from now on.
      throw ended.columns.status === 'FAILED' ? problemOf(ended) : problemOf(await receiver.find(params.uploadId))
    }),
    serve(dsymUploadRoutes.listDsyms, async ({ request, principal, query }) => {
      const context = parts.contextOf(request, principal)
      const first = query.first === undefined ? undefined : Number(query.first)
      if (first !== undefined && !(Number.isInteger(first) && first >= 1 && first <= 100))
        throw wrongField('first', 'must be a whole number from 1 to 100')
      const app = query.bundleIdentifier && (await requireApp(query.bundleIdentifier, context.views))
      const where = app ? { where: { scopeId: app.id } } : {}
      const page = await pageOfRows(
        context.views,
        { kind: 'dsym', terminal: false, ...where },
        { first: first ?? null, after: query.after ?? null },
        toIndexedDsym,
      )
      const { hasNextPage, endCursor } = page.pageInfo
      return json(200, { dsyms: page.nodes, endCursor: hasNextPage ? endCursor : null })
    }),
  ]
}

type Sender = Pick<RestCall, 'request' | 'principal'>

async function create({ request, principal }: Sender, parts: DsymUploadParts): Promise<Answer> {
  const { limits, contextOf } = parts
  const given = isTus(request) ? readCreation(request) : await readJson(request, limits.bodyBytes)
  const input = parseInput(dsymUploadInput, given) as v.InferOutput<typeof dsymUploadInput>
  const row = await createDsymUpload(input, request, contextOf(request, principal), parts)
  const isSent = hasFirstBytes(request) && row.context.offset === 0
  return created(isSent ? await receive(row.id, 0, { request, principal }, parts) : row, limits)
}

function created(row: Upload, limits: Limits): Answer {
  const { duplicateOf, offset } = row.context
  const expiresAt = expiryOf(row)
  const body = {
    id: row.id,
    status: row.columns.status,
    offset,
    chunkSizeMax: limits.dsymChunkBytes,
    expiresAt: expiresAt === undefined ? null : toDateTime(expiresAt),
    ...(duplicateOf === null ? {} : { duplicateOf }),
  }
  return json(201, body, { location: `/api/dsyms/uploads/${row.id}`, ...offsetHeaders(row) })
}

/** @throws Failure CONFLICT, PAYLOAD_TOO_LARGE, INSUFFICIENT_STORAGE, FAILED_PRECONDITION, UNAVAILABLE */
async function receive(
  uploadId: string,
  offset: number,
  { request, principal }: Sender,
  { receiver, limits }: DsymUploadParts,
): Promise<Upload> {
  const { body, headers } = request
  const length = headers.get('content-length')
  if (length !== undefined && Number(length) > limits.dsymChunkBytes) throw tooLarge(limits.dsymChunkBytes)
  return await receiver.receive(uploadId, {
    offset,
    body,
    length: length === undefined && body.isPresent ? undefined : Number(length ?? 0),
    mostBytes: limits.dsymChunkBytes,
    origin: originOf({ request, principal }),
  })
}

function tooLarge(limit: number): Failure {
  return new Failure('PAYLOAD_TOO_LARGE', `A request has at most ${limit} bytes of an upload. Send it in several.`, {
    details: { limit },
  })
}

const originOf = ({ request, principal }: Sender): Omit<Origin, 'receivedAt'> => ({
  cause: 'request',
  principal: principalName(principal),
  requestId: request.requestId,
})

async function send(
  uploadId: string,
  event: { readonly type: 'complete' | 'delete' },
  sender: Sender,
  { system, receiver }: DsymUploadParts,
): Promise<Upload> {
  const origin = { ...originOf(sender), receivedAt: sender.request.receivedAt }
  try {
    return requireKind(
      'dsymUpload',
      (await system.ask({ to: { kind: 'dsymUpload', id: uploadId }, event }, origin)).row,
    )
  } catch (error) {
    if (!(error instanceof Failure) || error.code !== 'FAILED_PRECONDITION') throw error
    const row = await receiver.find(uploadId)
    throw row.columns.status === 'FAILED' ? problemOf(row) : endedAs(row, event.type, error)
  }
}

/** Why an upload in this state does not accept the request. */
function endedAs({ columns, init, context }: Upload, request: 'complete' | 'delete', error: Failure): Failure {
  if (request === 'complete' && context.offset < init.size)
    return new Failure('CONFLICT', `The upload has ${context.offset} of ${init.size} bytes. Send the rest first.`, {
      details: { offset: context.offset },
    })
  if (request === 'delete')
    return new Failure('FAILED_PRECONDITION', `The upload is ${columns.status}, so it cannot be deleted.`, {
      details: { problem: columns.status },
    })
  return error
}

/** @param row is FAILED */
function problemOf({ context: { problem } }: Upload): Failure {
  const { code, message } = problem ?? { code: 'UPLOAD_FAILED', message: 'The upload has failed.' }
  if (code === 'CHECKSUM_MISMATCH') return new Failure('CHECKSUM_MISMATCH', message)
  return new Failure('FAILED_PRECONDITION', message, { details: { problem: code } })
}

function inspected(row: Upload): Answer {
  const headers = {
    'upload-length': String(row.init.size),
    'upload-metadata': metadataOf(row.init),
    'cache-control': 'no-store',
  }
  return { status: 200, headers: { ...headers, ...offsetHeaders(row) } }
}

function offsetHeaders(row: Upload): Readonly<Record<string, string>> {
  const expiresAt = expiryOf(row)
  return {
    'upload-offset': String(row.context.offset),
    ...(expiresAt === undefined ? {} : { 'upload-expires': new Date(expiresAt).toUTCString() }),
  }
}
