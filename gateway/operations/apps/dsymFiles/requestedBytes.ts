/** The bytes of blobs in a thread that has no access to the storage: it asks the process for them. */
import type { Blobs } from '../../../../storage/ports/blobs.ts'
import { type ByteSource, partOf } from './byteSource.ts'

export interface BytesRequest {
  readonly type: 'read'
  readonly request: number
  readonly blob: string
  readonly offset: number
  readonly length: number
}

export type BytesAnswer =
  | { readonly type: 'bytes'; readonly request: number; readonly bytes: Uint8Array }
  | { readonly type: 'noBytes'; readonly request: number; readonly problem: string }

/** The side of the thread. */
export class RequestedBytes {
  readonly #post: (request: BytesRequest) => void
  readonly #waiting = new Map<number, PromiseWithResolvers<Buffer>>()
  #requests = 0

  constructor(post: (request: BytesRequest) => void) {
    this.#post = post
  }

  sourceOf(blob: string, size: number): ByteSource {
    return {
      size,
      read: (offset, length) => {
        if (offset < 0 || length < 0 || offset + length > size)
          throw new RangeError(`${length} bytes at ${offset} are not within ${size} bytes`)
        const request = this.#requests++
        const answer = Promise.withResolvers<Buffer>()
        this.#waiting.set(request, answer)
        this.#post({ type: 'read', request, blob, offset, length })
        return answer.promise
      },
    }
  }

  take(answer: BytesAnswer): void {
    const waiting = this.#waiting.get(answer.request)
    this.#waiting.delete(answer.request)
    if (answer.type === 'noBytes') waiting?.reject(new Error(answer.problem))
    else waiting?.resolve(Buffer.from(answer.bytes.buffer, answer.bytes.byteOffset, answer.bytes.length))
  }
}

/** The side of the process. @throws the errors of the storage, and if it has fewer bytes */
export async function readRequested(
  { blob, offset, length }: Pick<BytesRequest, 'blob' | 'offset' | 'length'>,
  blobs: Pick<Blobs, 'read'>,
): Promise<Uint8Array<ArrayBuffer>> {
  const bytes = new Uint8Array(length)
  let filled = 0
  for await (const chunk of blobs.read(blob, offset, offset + length)) {
    bytes.set(chunk, filled)
    filled += chunk.length
  }
  if (filled < length) throw new Error(`the storage has ${filled} of ${length} bytes at ${offset}`)
  return bytes
}

/** A whole blob, as the process reads it. */
export function sourceOfBlob(blob: string, size: number, blobs: Pick<Blobs, 'read'>): ByteSource {
  const read = async (offset: number, length: number): Promise<Buffer> =>
    Buffer.from((await readRequested({ blob, offset, length }, blobs)).buffer)
  return partOf({ size, read }, 0, size)
}
