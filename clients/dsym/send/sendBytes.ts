/** Sends the bytes of a zip in chunks. After a failure it asks the server how many it has, so that no chunk is sent twice. */
import { type FileHandle, open } from 'node:fs/promises'
import { UploadFailure } from '../failures.ts'
import { formatBytes } from '../report/formatBytes.ts'
import type { Attempts } from './attempts.ts'
import type { SendContext } from './sendContext.ts'
import type { CreatedUpload, FailedRequest, UploadApi, ZipToSend } from './uploadApi.ts'

/** The upload has expired, or another client has deleted it. */
export class UploadGone extends Error {
  override name = 'UploadGone'
}

/** A proxy that refuses smaller requests is not set up for uploads. */
const leastChunk = 64 * 1024

/** @throws UploadFailure, UploadGone, or the reason of the signal */
export async function sendBytes(
  zip: ZipToSend,
  upload: CreatedUpload,
  context: Pick<SendContext, 'api' | 'chunkSize' | 'onProgress' | 'print'>,
  attempts: Attempts,
): Promise<void> {
  const { api, onProgress, print } = context
  let chunkSize = Math.min(context.chunkSize, upload.chunkSizeMax)
  let { offset } = upload
  const reader = new ChunkReader(zip, await open(zip.path, 'r'))
  try {
    onProgress(offset)
    while (offset < zip.size) {
      const chunk = await reader.read(offset, chunkSize)
      const sent = api.sendChunk(upload.id, offset, chunk)
      reader.prefetch(offset + chunk.length, chunkSize)
      const outcome = await sent
      const refusal = 'failed' in outcome ? outcome.failed : undefined
      if (refusal !== undefined && isTooLargeForProxy(refusal)) {
        if (chunkSize <= leastChunk) throw proxyFailure(chunkSize)
        chunkSize = Math.max(leastChunk, Math.floor(chunkSize / 2))
        print(`A proxy refuses requests of this size (status 413). Chunks have ${formatBytes(chunkSize)} from now on.`)
      }
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
    await reader.close()
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

/** Reads a chunk while the one before it is sent: the server and the network do not wait for the disk. It has two buffers. */
class ChunkReader {
  readonly #zip: ZipToSend
  readonly #handle: FileHandle
  #sentBuffer: Buffer | undefined
  #nextBuffer: Buffer | undefined
  #next: { readonly offset: number; readonly size: number; readonly chunk: Promise<Buffer> } | undefined

  constructor(zip: ZipToSend, handle: FileHandle) {
    this.#zip = zip
    this.#handle = handle
  }

  /** The bytes of the chunk before it change. @throws UploadFailure */
  async read(offset: number, size: number): Promise<Buffer> {
    this.prefetch(offset, size)
    const next = this.#next
    if (next?.offset !== offset || next.size !== size) {
      // The server has stored another number of bytes, or chunks are smaller now.
      await next?.chunk.catch(() => {})
      this.#next = undefined
      return await this.read(offset, size)
    }
    const chunk = await next.chunk
    this.#next = undefined
    ;[this.#sentBuffer, this.#nextBuffer] = [this.#nextBuffer, this.#sentBuffer]
    return chunk
  }

  /** Begins to read a chunk, unless one is being read or the zip has ended. */
  prefetch(offset: number, size: number): void {
    if (this.#next !== undefined || offset >= this.#zip.size) return
    const length = Math.min(size, this.#zip.size - offset)
    if (this.#nextBuffer === undefined || this.#nextBuffer.length < length)
      this.#nextBuffer = Buffer.allocUnsafe(length)
    const chunk = this.#fill(this.#nextBuffer.subarray(0, length), offset)
    // The error is thrown when the chunk is read. Until then it is not unhandled.
    chunk.catch(() => {})
    this.#next = { offset, size, chunk }
  }

  async close(): Promise<void> {
    await this.#next?.chunk.catch(() => {})
    await this.#handle.close()
  }

  async #fill(buffer: Buffer, offset: number): Promise<Buffer> {
    for (let filled = 0; filled < buffer.length; ) {
      const { bytesRead } = await this.#handle.read(buffer, filled, buffer.length - filled, offset + filled)
      if (bytesRead === 0)
        throw new UploadFailure(
          `${this.#zip.path} has become shorter while it was sent. Start the upload after the build has ended.`,
        )
      filled += bytesRead
    }
    return buffer
  }
}
