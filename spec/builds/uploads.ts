/**
 * An upload receives the bytes of a build artifact. It can be continued after any interruption, and its SHA-256 is checked. The uploads of
 * dSYMs share these times.
 */
import * as v from 'valibot'
import { named } from '../core/types.ts'

/** An upload that is not complete expires this long after its last byte, or after its creation if it has none, ms. */
export const unfinishedUploadMs = 86_400_000

/** The checksum of a complete upload is computed within this time, ms. It takes some minutes, unless the storage of the bytes is unavailable. */
export const verificationMs = 86_400_000

/** The first component of the names of all blobs of uploads. */
export const uploadBlobFolder = 'uploads'

/** The name of the blob with the bytes of an upload. */
export const uploadBlob = (uploadId: string): string => `${uploadBlobFolder}/${uploadId}`

export const uploadStatus = named(
  'UploadStatus',
  'The status of an upload. FAILED, EXPIRED and DELETED are final, and their bytes are deleted.',
  v.picklist(['CREATED', 'RECEIVING', 'VERIFYING', 'READY', 'FAILED', 'EXPIRED', 'DELETED']),
)

/** The statuses in which more bytes are accepted. */
export const openUploadStatuses = ['CREATED', 'RECEIVING'] as const
