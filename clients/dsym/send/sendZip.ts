/** Uploads one zip: creates the upload, sends the bytes, and waits until the server has indexed them. */
import { UploadFailure } from '../failures.ts'
import { Attempts } from './attempts.ts'
import { completeUpload } from './completeUpload.ts'
import { sendBytes, UploadGone } from './sendBytes.ts'
import type { SendContext } from './sendContext.ts'
import type { CompletedUpload, CreatedUpload, ZipToSend } from './uploadApi.ts'

/** Statuses of uploads that have ended without a result. */
const endedStatuses: ReadonlySet<string> = new Set(['DELETED', 'EXPIRED'])
/** Each canceled step of a day ends one. */
const mostRounds = 50

/** Whether others need the upload too. All steps that send one zip with one API key share an upload. */
interface UploadUse {
  /** Another step has sent bytes of it, or an earlier run of this step. */
  isShared: boolean
  hasAllBytes: boolean
}

/**
 * An upload that ends without a result is deleted, unless another step may send it or the server has all bytes.
 * @throws UploadFailure, or the reason of the signal
 */
export async function sendZip(zip: ZipToSend, context: SendContext): Promise<CompletedUpload> {
  const { api, stop, retry, print } = context
  const attempts = new Attempts(retry, stop.now, print)
  for (let round = 1; round <= mostRounds; round++) {
    const upload = await createUpload(zip, round, context, attempts)
    if (upload === undefined || endedStatuses.has(upload.status)) continue
    if (upload.duplicateOf !== undefined) return await readDuplicate(zip, upload.id, context, attempts)
    const use: UploadUse = { isShared: upload.offset > 0, hasAllBytes: false }
    try {
      // A signal does not interrupt the creation, because its answer has the ID.
      stop.now.throwIfAborted()
      if (upload.offset > 0) print(`The server has ${upload.offset} of ${zip.size} bytes of ${zip.filename} already.`)
      return await sendAndComplete(zip, upload, use, context, attempts)
    } catch (error) {
      if (error instanceof UploadGone) {
        print(`The server has deleted upload ${upload.id}. ${zip.filename} is sent again.`)
        continue
      }
      const hasEnded = error instanceof UploadFailure && error.hasEnded
      const isNeeded = !hasEnded && (use.isShared || use.hasAllBytes)
      if (!isNeeded && !(await api.remove(upload.id)))
        print(`Upload ${upload.id} was not deleted. The server deletes it after 24 hours.`)
      throw error
    }
  }
  throw new UploadFailure(
    `${mostRounds} uploads of ${zip.filename} were deleted before they ended. Rerun the step tomorrow, or build the dSYMs again.`,
  )
}

/** @returns undefined if the key of this round belongs to another request */
async function createUpload(
  zip: ZipToSend,
  round: number,
  { api, stop }: SendContext,
  attempts: Attempts,
): Promise<CreatedUpload | undefined> {
  for (;;) {
    stop.now.throwIfAborted()
    const outcome = await api.create(zip, round)
    if ('value' in outcome) return outcome.value
    const { failed } = outcome
    if (failed.status === 409) return undefined
    if (!failed.isTransient) throw new UploadFailure(failed.text)
    await attempts.wait(failed)
  }
}

async function sendAndComplete(
  zip: ZipToSend,
  upload: CreatedUpload,
  use: UploadUse,
  context: SendContext,
  attempts: Attempts,
): Promise<CompletedUpload> {
  const { durations } = context
  let { offset } = upload
  for (;;) {
    const from = offset
    const onConflict = (): void => {
      use.isShared = true
    }
    await durations.measure('send', () => sendBytes(zip, { ...upload, offset: from }, context, attempts, onConflict))
    use.hasAllBytes = true
    const result = await durations.measure('index', () => completeUpload(upload.id, zip, context, attempts))
    if (!('missingFrom' in result)) return result
    offset = result.missingFrom
    use.hasAllBytes = false
    await attempts.wait({ text: `The server has ${offset} of ${zip.size} bytes of ${zip.filename}.` })
  }
}

/** Of a zip that the server has, no byte is sent. Its result has the UUIDs for the summary. */
async function readDuplicate(
  zip: ZipToSend,
  id: string,
  context: SendContext,
  attempts: Attempts,
): Promise<CompletedUpload> {
  const result = await completeUpload(id, zip, context, attempts)
  if (!('missingFrom' in result)) return result
  throw new UploadFailure(`The server has ${zip.filename} already, but asks for its bytes. Report this as a defect.`)
}
