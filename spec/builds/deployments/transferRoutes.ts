/** The bytes of an artifact on their way from the agent that has built it to the agent that deploys it. */
import * as v from 'valibot'
import { id, idOf, int, named } from '../../core/types.ts'
import { badInput } from '../../rest/refusals.ts'
import { type Refusal, restRoute } from '../../rest/restRoute.ts'
import { epochHeader, staleEpoch, wrongOffset } from '../byteRefusals.ts'
import { artifactTransferSchema } from './deployments.ts'

const params = v.object({ transferId: idOf('artifactTransfer') })
const path = '/api/agent/build-artifact-transfers/{transferId}'

const offsets = {
  'Upload-Offset': 'The number of bytes that are durably stored. The next request continues there.',
  'Upload-Length': 'The number of bytes of the whole file.',
}

const failed: Refusal = {
  code: 'FAILED_PRECONDITION',
  extras: { problem: v.optional(v.pipe(v.string(), v.description('The code of the problem: `DEPLOYMENT_ENDED` …'))) },
}

const notFound: Refusal = { code: 'NOT_FOUND', extras: { id } }

const common = { tag: 'Build artifacts', access: 'agents', params } as const

const transferState = named(
  'ArtifactTransferState',
  'A transfer as its agents see it.',
  v.object({
    ...artifactTransferSchema.entries,
    sha256: v.string(),
    offset: v.pipe(v.number(), v.integer(), v.description('The number of bytes that are durably stored.')),
  }),
)

export const transferRoutes = {
  readTransfer: restRoute({
    ...common,
    path,
    name: 'readTransfer',
    method: 'GET',
    summary: 'Read the state of a transfer, or bytes of its file',
    description:
      'Without `Range`, the answer is the state. With `Range`, it has these bytes of the file: only for the target, and only when the status is READY or later. An expired transfer is `404`. `FORBIDDEN`: the agent is neither source nor target, or asks for what only the other one may.',
    requestHeaders: {
      ...epochHeader,
      Range: 'One range of bytes, such as `bytes=1048576-`.',
    },
    answers: {
      200: { description: 'The state of the transfer.', body: transferState },
      206: {
        description: 'The requested bytes of the file.',
        mediaTypes: ['*/*'],
        headers: {
          'Content-Range': 'The first and the last position, and the size of the file.',
          ETag: 'The SHA-256.',
        },
      },
    },
    refusals: [
      badInput,
      notFound,
      staleEpoch,
      'FORBIDDEN',
      failed,
      {
        code: 'RANGE_NOT_SATISFIABLE',
        extras: { size: v.pipe(int, v.description('The number of bytes of the file.')) },
      },
    ],
  }),
  inspectTransfer: restRoute({
    ...common,
    path,
    name: 'inspectTransfer',
    method: 'HEAD',
    summary: 'Ask for the offset of a transfer',
    description: 'Tells where the source continues after an interruption.',
    requestHeaders: epochHeader,
    answers: { 200: { description: 'The offset.', headers: { ...offsets, 'Cache-Control': '`no-store`.' } } },
    refusals: [badInput, notFound, staleEpoch, 'FORBIDDEN'],
  }),
  sendTransferChunk: restRoute({
    ...common,
    path,
    name: 'sendTransferChunk',
    method: 'PATCH',
    summary: 'Send the next bytes of a transfer',
    description:
      'Only the source may send, while the artifact is not stored. The chunk begins at `Upload-Offset`. The bytes and the offset are durable before the answer. A newer request for the same transfer ends the older one.',
    requestHeaders: {
      ...epochHeader,
      'Upload-Offset': 'The position of the first byte of the chunk. Required.',
    },
    rawBody: {
      limit: 'transferChunkBytes',
      mediaType: 'application/offset+octet-stream',
      description: 'At most 16 MiB.',
    },
    answers: { 204: { description: 'The bytes are durably stored.', headers: offsets } },
    refusals: [
      badInput,
      notFound,
      staleEpoch,
      'FORBIDDEN',
      wrongOffset,
      failed,
      'CHECKSUM_MISMATCH',
      {
        code: 'INSUFFICIENT_STORAGE',
        extras: { reserve: v.pipe(v.number(), v.description('The number of bytes that must stay free.')) },
      },
    ],
  }),
  completeTransfer: restRoute({
    ...common,
    path: `${path}/complete`,
    name: 'completeTransfer',
    method: 'POST',
    summary: 'Complete a transfer',
    description:
      'From the source: all bytes were sent. The answer waits up to 25 s for the check of the SHA-256; missing bytes are `409`. From the target: the file is stored, and its SHA-256 was compared. A repeat has the same answer.',
    requestHeaders: epochHeader,
    answers: { 200: { description: 'The state of the transfer.', body: transferState } },
    refusals: [badInput, notFound, staleEpoch, 'FORBIDDEN', wrongOffset, failed, 'CHECKSUM_MISMATCH'],
  }),
} as const
