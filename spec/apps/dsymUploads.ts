/** Uploads of zips with dSYMs: their bytes arrive in chunks, and their dSYMs are then indexed. */
import * as v from 'valibot'
import { connectionOf, orderByOf, pageArguments } from '../core/connections.ts'
import { oneById } from '../core/oneById.ts'
import { mutation, query } from '../core/operation.ts'
import { problem } from '../core/problem.ts'
import { dateTime, id, idOf, int, named } from '../core/types.ts'

/** The first component of the names of all blobs of these uploads. */
export const dsymUploadFolder = 'dsym-uploads'

/** The name of the blob with the bytes of an upload. */
export const dsymUploadBlob = (uploadId: string): string => `${dsymUploadFolder}/${uploadId}`

/** The dSYMs of one zip are indexed within this time, ms. A zip of 20 GiB takes some minutes. */
export const indexingMs = 6 * 3_600_000

/** dSYMs in one zip. The upload client divides more of them among several zips. */
export const bundlesMax = 500

/** Symbol files in one dSYM. Xcode makes one. */
export const symbolFilesMax = 100

export const dsymUploadStatuses = [
  'CREATED',
  'RECEIVING',
  'VERIFYING',
  'INDEXING',
  'INDEXED',
  'DUPLICATE',
  'FAILED',
  'EXPIRED',
  'DELETED',
] as const

export const dsymUploadStatus = named(
  'DsymUploadStatus',
  'The status of an upload of dSYMs. INDEXED, DUPLICATE, EXPIRED and DELETED are final. FAILED is final, unless the server was ' +
    'restarted meanwhile: then it can be completed again.',
  v.picklist(dsymUploadStatuses),
)

export const dsymUploadWarningCodes = [
  'NO_SYMBOLS',
  'UNREADABLE_SYMBOLS',
  'NO_UUID',
  'UNREADABLE_INFO_PLIST',
  'LINK_IGNORED',
  'TOO_MANY_IMAGES',
] as const

export const dsymUploadWarning = named(
  'DsymUploadWarning',
  'A part of a zip that was not indexed, and the reason.',
  v.object({
    code: named(
      'DsymUploadWarningCode',
      'NO_SYMBOLS: the dSYM has no symbol files. UNREADABLE_SYMBOLS: a symbol file is not a Mach-O file, or is damaged. NO_UUID: a symbol ' +
        'file has no UUID, by which crash reports would find it. UNREADABLE_INFO_PLIST: the app and its version are not known. ' +
        'LINK_IGNORED: a link in a zip has no bytes. TOO_MANY_IMAGES: the dSYM has more images than are indexed.',
      v.picklist(dsymUploadWarningCodes),
    ),
    bundle: v.pipe(v.string(), v.description('The path of the dSYM in the zip.')),
    message: v.string(),
  }),
)

export type DsymUploadWarning = v.InferOutput<typeof dsymUploadWarning>

/** GraphQL's Int ends at 2 GiB. */
const bytes = v.pipe(v.number(), v.metadata({ scalar: 'Float' } as const))

export const dsymUploadSchema = named(
  'DsymUpload',
  'A zip with dSYMs that a CI step uploads. Its app is not known before its dSYMs are indexed.',
  v.object({
    id,
    name: v.pipe(v.string(), v.description('The file name of the zip.')),
    size: v.pipe(bytes, v.description('Bytes.')),
    sha256: v.pipe(v.string(), v.description('The declared SHA-256 of the zip, in hexadecimal.')),
    status: dsymUploadStatus,
    offset: v.pipe(bytes, v.description('The number of bytes that are durably stored.')),
    verifiedBytes: v.pipe(bytes, v.description('The number of bytes of which the checksum is computed.')),
    bundleCount: v.pipe(
      v.nullable(int),
      v.description('The number of dSYMs in the zip. Null until they are counted, and for a duplicate.'),
    ),
    indexedCount: v.pipe(int, v.description('The number of these dSYMs that were read.')),
    warningCount: v.pipe(int, v.description('The number of warnings. 0 for a duplicate.')),
    duplicateOfId: v.pipe(v.nullable(id), v.description('The upload that has indexed the same zip.')),
    problem: v.pipe(
      v.nullable(problem),
      v.description('The reason why the upload failed or cannot continue yet: `SERVER_RESTARTED`, `INVALID_ZIP`, …'),
    ),
    canBeDeleted: v.pipe(v.boolean(), v.description('Whether the upload can still be deleted, with its bytes.')),
    createdById: v.pipe(id, v.description('The API key whose request created it.')),
    createdAt: dateTime,
    expiresAt: v.pipe(
      v.nullable(dateTime),
      v.description('The time at which the upload is deleted if no further byte arrives. Null if no byte is expected.'),
    ),
  }),
)

export const dsymUpload = query({
  ...oneById('dsymUpload', dsymUploadSchema),
  tool: {
    group: 'apps',
    name: 'get_dsym_upload',
    title: 'Get an upload of dSYMs',
    description:
      'Returns one upload of dSYMs by its ID (`dsu_…`): its status and progress, the problem if it failed, the dSYMs that were ' +
      'indexed, and a warning for each part of the zip that was not.',
  },
})

export const dsymUploads = query({
  name: 'dsymUploads',
  description: 'Returns uploads of dSYMs, newest first. One that has ended is removed after seven days.',
  access: 'people',
  tool: {
    group: 'apps',
    name: 'get_dsym_uploads',
    title: 'List uploads of dSYMs',
    description:
      'Lists the uploads of dSYMs, newest first: name, size, status and progress. Filter by `statuses`. One that has ended is ' +
      'removed after seven days, and its dSYMs stay: `get_dsyms`. `after: pageInfo.endCursor` continues the list. ' +
      '`get_dsym_upload` returns the dSYMs and the warnings of one upload.',
  },
  input: v.object({
    ...pageArguments,
    orderBy: orderByOf('DsymUpload', ['CREATED_AT']),
    statuses: v.pipe(
      v.nullish(v.pipe(v.array(dsymUploadStatus), v.maxLength(dsymUploadStatuses.length))),
      v.description('Returns only uploads with one of these statuses.'),
    ),
  }),
  output: connectionOf('DsymUpload', dsymUploadSchema),
})

export const deleteDsymUpload = mutation({
  name: 'deleteDsymUpload',
  description: 'Deletes an upload of dSYMs that has not ended, with its bytes. dSYMs that were already indexed stay.',
  access: 'people',
  tool: {
    group: 'apps',
    title: 'Delete an upload of dSYMs',
    description:
      'Deletes an upload of dSYMs that has not ended, with its bytes. The client that sends it is refused from then on. dSYMs ' +
      'that were already indexed stay: `delete_dsym` deletes one.',
    destroys: true,
    idempotent: true,
  },
  input: v.object({ dsymUploadId: idOf('dsymUpload') }),
  output: named('DeleteDsymUploadPayload', 'The upload after the change.', v.object({ dsymUpload: dsymUploadSchema })),
})
