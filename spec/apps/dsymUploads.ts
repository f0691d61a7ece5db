/** Uploads of zips with dSYMs: their bytes arrive in chunks, and their dSYMs are then indexed. */
import * as v from 'valibot'
import { named } from '../core/types.ts'

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

export const dsymUploadStatus = named(
  'DsymUploadStatus',
  'The status of an upload of dSYMs. INDEXED, DUPLICATE, EXPIRED and DELETED are final. FAILED is final, unless the server was ' +
    'restarted meanwhile: then it can be completed again.',
  v.picklist(['CREATED', 'RECEIVING', 'VERIFYING', 'INDEXING', 'INDEXED', 'DUPLICATE', 'FAILED', 'EXPIRED', 'DELETED']),
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
