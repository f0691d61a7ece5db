/** The bytes of build artifacts, which agents send. */
import * as v from 'valibot'
import { id, idOf } from '../core/types.ts'
import { badInput } from '../rest/refusals.ts'
import { type Refusal, type RestAnswer, restRoute } from '../rest/restRoute.ts'
import { epochHeader, staleEpoch, wrongOffset } from './byteRefusals.ts'

const params = v.object({ uploadId: idOf('upload') })

const headers = {
  'Upload-Offset': 'The number of bytes that are durably stored. The next request continues there.',
  'Upload-Length': 'The number of bytes of the whole file.',
  'Upload-Status':
    '`CREATED` or `RECEIVING`: send the bytes from `Upload-Offset`. `VERIFYING`: all bytes are stored, and the checksum is being computed. `READY`: the checksum matches. `FAILED`: the upload has ended, and its bytes are deleted.',
}

const accepted = (description: string): RestAnswer => ({ description, headers })

const failed: Refusal = {
  code: 'FAILED_PRECONDITION',
  extras: { problem: v.pipe(v.string(), v.description('The code of the problem: `BYTES_LOST` …')) },
}

const common = {
  path: '/api/build-artifact-uploads/{uploadId}',
  tag: 'Build artifacts',
  access: 'agents',
  params,
} as const

export const artifactUploadRoutes = {
  inspectArtifactUpload: restRoute({
    ...common,
    name: 'inspectArtifactUpload',
    method: 'HEAD',
    summary: 'Ask for the offset of an upload',
    description: 'Tells where to continue after an interruption. An expired or deleted upload is `404`.',
    requestHeaders: epochHeader,
    answers: { 200: accepted('The state of the upload.') },
    refusals: [badInput, { code: 'NOT_FOUND', extras: { id } }, staleEpoch],
  }),
  sendArtifact: restRoute({
    ...common,
    name: 'sendArtifact',
    method: 'POST',
    summary: 'Send the bytes of a build artifact',
    description:
      'The body has the bytes from `Upload-Offset`: all of the rest, or a part of it. The bytes that have arrived are kept when the connection ends, ' +
      'and a further request continues there. A newer request for the same upload ends the older one with `409`. The answer to the last ' +
      'byte waits up to 25 s for the check of the SHA-256. After `202`, ask with `HEAD` until `Upload-Status` is `READY`, or repeat the ' +
      'request without a body and with `Upload-Offset` at the end. 24 hours after its last byte, an incomplete upload expires.',
    requestHeaders: {
      ...epochHeader,
      'Upload-Offset':
        'The position of the first byte of the body. Required. It must be the number of bytes that are stored.',
    },
    rawBody: {
      limit: 'uploadBytes',
      mediaType: 'application/octet-stream',
      description: 'The bytes from `Upload-Offset`.',
    },
    answers: {
      202: accepted('All bytes are durably stored, and the checksum is still being computed.'),
      204: accepted('The bytes are durably stored. If they are the last ones, the checksum matches.'),
    },
    refusals: [
      badInput,
      { code: 'NOT_FOUND', extras: { id } },
      wrongOffset,
      staleEpoch,
      failed,
      'CHECKSUM_MISMATCH',
      {
        code: 'INSUFFICIENT_STORAGE',
        extras: { reserve: v.pipe(v.number(), v.description('The number of bytes that must stay free.')) },
      },
    ],
  }),
} as const
