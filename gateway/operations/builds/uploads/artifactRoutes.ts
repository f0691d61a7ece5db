/** The REST routes by which agents send build artifacts. */
import type { TypedRow } from '../../../../machines/rows.ts'
import { artifactUploadRoutes } from '../../../../spec/builds/artifactUploadRoutes.ts'
import { Failure } from '../../../../spec/core/failure.ts'
import { principalName } from '../../../../spec/core/principal.ts'
import type { Answer } from '../../../http/route.ts'
import { requireEpoch } from '../../agents/agentSession.ts'
import { numberHeader, requireOctets } from '../../core/octets.ts'
import { type ParamsOf, type RestCall, type ServedRoute, serve } from '../../restHandler.ts'
import type { ContextOf } from '../../worktrees/codebaseRoutes.ts'
import type { UploadReceiver } from './uploadReceiver.ts'

type UploadRow = TypedRow<'upload'>

export interface ArtifactUploads {
  readonly receiver: UploadReceiver<UploadRow>
  readonly contextOf: ContextOf
}

type Call = RestCall<undefined, undefined, ParamsOf<typeof artifactUploadRoutes.sendArtifact>>

export function serveArtifactUploads(uploads: ArtifactUploads): readonly ServedRoute[] {
  return [
    serve(artifactUploadRoutes.inspectArtifactUpload, async (call) =>
      answer(200, await requireOwnUpload(call, uploads)),
    ),
    serve(artifactUploadRoutes.sendArtifact, (call) => receive(call, uploads)),
  ]
}

async function receive(call: Call, uploads: ArtifactUploads): Promise<Answer> {
  const { request, principal } = call
  await requireOwnUpload(call, uploads)
  requireOctets(request)
  const length = request.headers.get('content-length')
  const row = await uploads.receiver.receive(call.params.uploadId, {
    offset: numberHeader(request, 'Upload-Offset'),
    body: request.body,
    length: length === undefined && request.body.isPresent ? undefined : Number(length ?? 0),
    origin: { cause: 'agent', principal: principalName(principal), requestId: request.requestId },
  })
  return answer(row.columns.status === 'VERIFYING' ? 202 : 204, row)
}

function answer(status: number, { init, context, columns }: UploadRow): Answer {
  return {
    status,
    headers: {
      'upload-offset': String(context.offset),
      'upload-length': String(init.size),
      'upload-status': columns.status,
    },
  }
}

/** @throws Failure NOT_FOUND, FORBIDDEN, STALE_EPOCH, BAD_USER_INPUT */
async function requireOwnUpload({ request, principal, params }: Call, uploads: ArtifactUploads): Promise<UploadRow> {
  const epoch = numberHeader(request, 'X-Agent-Epoch')
  const agentId = await requireEpoch(epoch, uploads.contextOf(request, principal))
  const row = await uploads.receiver.find(params.uploadId)
  if (row.init.agentId !== agentId)
    throw new Failure('FORBIDDEN', 'This upload belongs to another agent.', { details: { id: params.uploadId } })
  return row
}
