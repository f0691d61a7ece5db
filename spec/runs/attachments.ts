/** Files that users attach to runs. A file is uploaded first and attached to a run when the run is requested. */
import * as v from 'valibot'
import { dateTime, id, idOf, int, named } from '../core/types.ts'
import { attachmentsMax } from './attachmentLimit.ts'

/** A file that no run uses expires this long after its last byte, ms. */
export const unattachedMs = 86_400_000
/** A file is attached only if it does not expire within this time, ms: the message that attaches it may be delayed by a restart. */
export const attachableMs = 10 * 60_000
/** The most bytes of a file name, as in the file systems of the agents. */
export const fileNameBytes = 255

/** The name of the blob with the bytes of an attachment. */
export const attachmentBlob = (attachmentId: string): string => `run-attachments/${attachmentId}`

export const attachmentStatus = named(
  'RunAttachmentStatus',
  'The status of an attachment. EXPIRED and REMOVED are final, and their bytes are deleted.',
  v.picklist(['RECEIVING', 'UNATTACHED', 'ATTACHED', 'EXPIRED', 'REMOVED']),
)

const facts = {
  name: v.pipe(v.string(), v.description('The file name, without folders.')),
  contentType: v.pipe(v.string(), v.description('The media type that the sender stated.')),
}

/** An attachment whose bytes are stored, as REST returns it. */
export const storedAttachment = named(
  'StoredRunAttachment',
  'A file that is attached to a run or can be.',
  v.object({
    id,
    name: facts.name,
    size: v.pipe(int, v.description('The number of bytes.')),
    contentType: facts.contentType,
    sha256: v.pipe(v.string(), v.description('The SHA-256 of the bytes, in hexadecimal.')),
  }),
)

export const runAttachmentSchema = named(
  'RunAttachment',
  'A file that is attached to a run or can be.',
  v.object({
    id,
    status: attachmentStatus,
    ...facts,
    size: v.pipe(v.nullable(int), v.description('The number of bytes. Null until all of them have arrived.')),
    sha256: v.pipe(
      v.nullable(v.string()),
      v.description('The SHA-256 of the bytes, in hexadecimal. Null until all of them have arrived.'),
    ),
    runId: v.pipe(v.nullable(id), v.description('The ID of the run that it was attached to first.')),
    createdAt: dateTime,
  }),
)

/** The attachments in the input of a run. */
export const attachmentIds = v.pipe(
  v.nullish(v.pipe(v.array(idOf('runAttachment')), v.maxLength(attachmentsMax))),
  v.description(
    `The IDs of uploaded files (POST /api/run-attachments) that the run gets, at most ${attachmentsMax}. Each must have been uploaded by the caller's user and belong to no other run. A follow-up may have those of its session or plan again.`,
  ),
)

/** The IDs of the attachments of a run, from its instructions. A retry has the same ones. */
export function readAttachmentIds(spec: unknown): readonly string[] {
  const { attachmentIds: ids } = Object(spec) as { readonly attachmentIds?: readonly string[] }
  return ids ?? []
}
