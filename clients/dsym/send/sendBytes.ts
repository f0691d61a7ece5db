/** Sends the bytes of a zip in chunks. After a failure it asks the server how many it has, so that no chunk is sent twice. */
import { open } from 'node:fs/promises'
import { smallerRequest } from '../../smallerRequest.ts'
import { UploadFailure } from '../failures.ts'
import { formatBytes } from '../report/formatBytes.ts'
import type { Attempts } from './attempts.ts'
import { readPieces } from './readPieces.ts'
import type { SendContext } from './sendContext.ts'
import type { CreatedUpload, FailedRequest, UploadApi, ZipToSend } from './uploadApi.ts'

/** The upload has expired, or another client has deleted it. */
export class UploadGone extends Error {
  override name = 'UploadGone'
}

/** @throws UploadFailure, UploadGone, or the reason of the signal */
export async function sendBytes(
  zip: ZipToSend,
  upload: CreatedUpload,
  context: Pick<SendContext, 'api' | 'chunkSize' | 'onProgress' | 'print'>,
  attempts: Attempts,
  /** Called if another client may send the same upload. */
  onConflict: () => void,
): Promise<void> {
  const { api, onProgress, print } = context
  let chunkSize = Math.min(context.chunkSize, upload.chunkSizeMax)
  let { offset } = upload
  const handle = await open(zip.path, 'r')
  try {
    onProgress(offset)
    while (offset < zip.size) {
      const chunk = { path: zip.path, handle, offset, size: Math.min(chunkSize, zip.size - offset) }
      const outcome = await api.sendChunk(upload.id, offset, { size: chunk.size, pieces: () => readPieces(chunk) })
      const refusal = 'failed' in outcome ? outcome.failed : undefined
      if (refusal !== undefined && isTooLargeForProxy(refusal)) {
        const smaller = smallerRequest(chunk.size)
        if (smaller === undefined) throw proxyFailure(chunk.size)
        chunkSize = smaller
        print(`A proxy refuses requests of this size (status 413). Chunks have ${formatBytes(chunkSize)} from now on.`)
      }
      if (refusal?.status === 409) onConflict()
      const next = 'value' in outcome ? outcome.value : await findOffset(outcome.failed, upload.id, api, attempts)
      if (next > zip.size)
        throw new UploadFailure(
          `The server has ${next} bytes of ${zip.filename}, which has ${zip.size}. Rerun the step.`,
        )
      if (next > offset) attempts.recordProgress()
      else if ('value' in outcome) await attempts.wait({ text: 'The server has stored nothing of the last chunk.' })
      offset = next
      onProgress(offset)
    }
  } finally {
    await handle.close()
  }
}

/** @returns the offset at which to continue after a failed request */
async function findOffset(failed: FailedRequest, id: string, api: UploadApi, attempts: Attempts): Promise<number> {
  let problem = failed
  for (;;) {
    if (problem.status === 404) throw new UploadGone()
    const isConflict = problem.status === 409
    const isTooLarge = isTooLargeForProxy(problem)
    if (!problem.isTransient && !isConflict && !isTooLarge) throw new UploadFailure(problem.text)
    // A smaller chunk is another request, so there is nothing to wait for.
    if (!isTooLarge) await attempts.wait(problem)
    // Another client may send the same upload, and the server names the offset for both.
    if (isConflict && problem.offset !== undefined) return problem.offset
    const outcome = await api.offset(id)
    if ('value' in outcome) return outcome.value
    problem = outcome.failed
  }
}

/** The server names the code of each refusal, and a proxy does not. */
function isTooLargeForProxy({ status, error }: FailedRequest): boolean {
  return status === 413 && error === undefined
}

function proxyFailure(bytes: number): UploadFailure {
  return new UploadFailure(
    `A proxy in front of the server refuses a request of ${formatBytes(bytes)} (status 413). Raise its limit, for example client_max_body_size of nginx, to 16 MiB.`,
  )
}
