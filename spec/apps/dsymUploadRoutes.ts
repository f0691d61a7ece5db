/** The routes by which CI steps send dSYMs. They also support the protocol tus 1.0, which stock clients use. */
import * as v from 'valibot'
import { wrongOffset } from '../builds/byteRefusals.ts'
import { pageArguments } from '../core/connections.ts'
import { dateTime, id, idOf, int, named, text } from '../core/types.ts'
import { badInput } from '../rest/refusals.ts'
import { type Refusal, restRoute } from '../rest/restRoute.ts'
import { bundleIdentifier } from './bundleIdentifier.ts'
import { dsymUploadStatus, dsymUploadWarning } from './dsymUploads.ts'

/** The version of tus that is served. */
export const tusVersion = '1.0.0'

export const tusExtensions = ['creation', 'creation-with-upload', 'expiration', 'termination'] as const

/** The media type of the bytes of an upload. */
export const chunkType = 'application/offset+octet-stream'

export const dsymUploadInput = named(
  'DsymUploadInput',
  'A zip with dSYMs that will be sent.',
  v.object({
    filename: v.pipe(text({ min: 1, max: 255 }), v.description('The name of the zip, for people.')),
    size: v.pipe(int, v.minValue(1, 'must be at least 1'), v.description('Bytes.')),
    sha256: v.pipe(
      v.string(),
      v.regex(/^[0-9a-f]{64}$/, 'must be a SHA-256: 64 hexadecimal digits in lower case'),
      v.description('The SHA-256 of the zip, in hexadecimal.'),
    ),
  }),
)

const createdUpload = named(
  'CreatedDsymUpload',
  'An upload of dSYMs, as its creation returns it.',
  v.object({
    id,
    status: dsymUploadStatus,
    offset: v.pipe(int, v.description('The number of bytes that are durably stored. The first chunk begins there.')),
    chunkSizeMax: v.pipe(int, v.description('The most bytes of one request.')),
    expiresAt: v.nullable(dateTime),
    duplicateOf: v.optional(
      v.pipe(v.string(), v.description('The upload that has indexed the same zip. Then nothing is to be sent.')),
    ),
  }),
)

const indexedDsym = named(
  'IndexedDsym',
  'A dSYM of a zip.',
  v.object({
    id,
    name: v.pipe(v.string(), v.description('The name of the bundle, such as `Shop.app`.')),
    bundleIdentifier: v.nullable(v.string()),
    version: v.string(),
    build: v.string(),
    images: v.array(
      named('IndexedImage', 'A binary whose symbols a dSYM has.', v.object({ uuid: v.string(), arch: v.string() })),
    ),
  }),
)

const completedUpload = named(
  'CompletedDsymUpload',
  'The result of an upload of dSYMs.',
  v.object({
    id,
    status: v.picklist(['INDEXED', 'DUPLICATE']),
    duplicateOf: v.optional(v.pipe(v.string(), v.description('The upload that has indexed the same zip.'))),
    dsyms: v.array(indexedDsym),
    warnings: v.array(dsymUploadWarning),
    crashesToSymbolicate: v.pipe(
      int,
      v.description(
        'The number of crash reports with calls in these images, which get their names from these symbols.',
      ),
    ),
  }),
)

const params = v.object({ uploadId: idOf('dsymUpload') })

const notFound: Refusal = { code: 'NOT_FOUND', extras: { id } }

const wrongVersion: Refusal = { ...badInput, status: 412 }

const ended: Refusal = {
  code: 'FAILED_PRECONDITION',
  extras: {
    problem: v.optional(
      v.pipe(
        v.string(),
        v.description('The code of the problem: `SERVER_RESTARTED` (complete it again), `INVALID_ZIP`, `BYTES_LOST` …'),
      ),
    ),
  },
}

const full: Refusal = {
  code: 'INSUFFICIENT_STORAGE',
  extras: { reserve: v.pipe(v.number(), v.description('The number of bytes that must stay free.')) },
}

const tusHeaders = { 'Tus-Resumable': 'tus: `1.0.0`. Another version is `412`.' }

const offsets = {
  'Upload-Offset': 'The number of bytes that are durably stored. The next request continues there.',
  'Upload-Expires': 'The time after which an upload that is not completed is deleted.',
}

const common = {
  tag: 'Debug symbols',
  access: 'symbolSenders',
  credentialRefusal: 'UNAUTHENTICATED',
  requestHeaders: tusHeaders,
} as const

const path = '/api/dsyms/uploads/{uploadId}'

export const dsymUploadRoutes = {
  createDsymUpload: restRoute({
    ...common,
    name: 'createDsymUpload',
    method: 'POST',
    path: '/api/dsyms/uploads',
    summary: 'Begin an upload of dSYMs',
    description:
      'Takes name, size and SHA-256 of a zip, as JSON or as headers of tus. A repeat with the same `Idempotency-Key` returns the same ' +
      'upload, as long as it has not ended. If the same zip was indexed before, the status is DUPLICATE and nothing is to be sent. ' +
      '24 hours after its last byte, an upload that was not completed is deleted. With tus, the body may have the first bytes.',
    requestHeaders: {
      ...tusHeaders,
      'Idempotency-Key': 'A text that is the same for each repeat of this request, at most 255 characters.',
      'Upload-Length': 'tus: bytes.',
      'Upload-Metadata': 'tus: `filename` and `sha256`, each with its value in Base64.',
    },
    rawBody: {
      limit: 'dsymChunkBytes',
      mediaType: 'application/json',
      schema: dsymUploadInput,
      description: `With tus the body is empty, or has the first bytes as \`${chunkType}\`.`,
    },
    answers: {
      201: {
        description: 'The upload. tus clients find its URL in `Location`.',
        body: createdUpload,
        headers: { Location: 'The path of the upload.', ...offsets },
      },
    },
    refusals: [badInput, wrongVersion, wrongOffset, full],
  }),
  inspectDsymUpload: restRoute({
    ...common,
    name: 'inspectDsymUpload',
    method: 'HEAD',
    path,
    params,
    summary: 'Ask for the offset of an upload',
    description: 'Tells where to continue after an interruption. An expired or deleted upload is `404`.',
    answers: {
      200: {
        description: 'The offset.',
        headers: { ...offsets, 'Upload-Length': 'Bytes.', 'Cache-Control': '`no-store`.' },
      },
    },
    refusals: [badInput, notFound, wrongVersion],
  }),
  sendDsymChunk: restRoute({
    ...common,
    name: 'sendDsymChunk',
    method: 'PATCH',
    path,
    params,
    summary: 'Send the next bytes of an upload',
    description:
      'The chunk begins at `Upload-Offset`. Its bytes and the new offset are durable together before the answer. If the connection ends, the ' +
      'bytes that have arrived are kept. A newer request for the same upload ends the older one with `409`.',
    requestHeaders: { ...tusHeaders, 'Upload-Offset': 'The position of the first byte of the chunk. Required.' },
    rawBody: { limit: 'dsymChunkBytes', mediaType: chunkType, description: 'The bytes from `Upload-Offset`.' },
    answers: { 204: { description: 'The bytes are durably stored.', headers: offsets } },
    refusals: [badInput, notFound, wrongVersion, wrongOffset, ended, full],
  }),
  deleteDsymUpload: restRoute({
    ...common,
    name: 'deleteDsymUpload',
    method: 'DELETE',
    path,
    params,
    summary: 'Delete an upload that is not completed',
    description: 'The bytes are deleted too. dSYMs that were indexed stay.',
    answers: { 204: { description: 'The upload is deleted.' } },
    refusals: [badInput, notFound, wrongVersion, ended],
  }),
  completeDsymUpload: restRoute({
    ...common,
    name: 'completeDsymUpload',
    method: 'POST',
    path: `${path}/complete`,
    params,
    summary: 'Complete an upload: verify and index it',
    description:
      'Waits for the end of the indexing, for up to an hour, and returns its result. A repeat waits for the same indexing, or has the same ' +
      'answer. If the server is stopping, the answer is `503`: ask again.',
    requestHeaders: {},
    answers: { 200: { description: 'The dSYMs are indexed.', body: completedUpload } },
    refusals: [badInput, notFound, wrongOffset, ended, 'CHECKSUM_MISMATCH', 'UNAVAILABLE'],
  }),
  listDsyms: restRoute({
    ...common,
    name: 'listDsyms',
    method: 'GET',
    path: '/api/dsyms',
    summary: 'List dSYMs',
    description: 'The dSYMs that were not deleted, newest first.',
    requestHeaders: {},
    query: v.object({
      first: v.optional(v.pipe(v.string(), v.description('The number of dSYMs, 1 to 100. Default: 50.'))),
      after: pageArguments.after,
      bundleIdentifier: v.optional(bundleIdentifier),
    }),
    queryRefusal: 'BAD_USER_INPUT',
    answers: {
      200: {
        description: 'A page of the list.',
        body: v.object({
          dsyms: v.array(indexedDsym),
          endCursor: v.nullable(v.pipe(v.string(), v.description('`after` of the next page. Null on the last one.'))),
        }),
      },
    },
    refusals: [badInput, 'NOT_FOUND'],
  }),
} as const
