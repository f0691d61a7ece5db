/** Reads a part of a file in pieces. One is read while the one before it is sent: the server and the network do not wait for the disk. */
import type { FileHandle } from 'node:fs/promises'
import { errnoOf, messageOf, UploadFailure } from '../failures.ts'

/** Two buffers of this size stay in the cache of the processor. With pieces of a whole chunk, sending is a fifth slower. */
const pieceBytes = 512 * 1024

export interface FilePart {
  readonly path: string
  readonly handle: FileHandle
  /** In bytes. */
  readonly offset: number
  readonly size: number
}

/** The bytes of a piece change as soon as the next one is asked for. @throws UploadFailure if the file has become shorter, or cannot be read */
export async function* readPieces({ path, handle, offset, size }: FilePart): AsyncGenerator<Buffer, void, void> {
  const end = offset + size
  const read = async (buffer: Buffer, at: number): Promise<Buffer> => {
    const length = Math.min(buffer.length, end - at)
    const { bytesRead } = await handle.read(buffer, 0, length, at).catch((error: unknown) => {
      throw new UploadFailure(`${path} cannot be read (${errnoOf(error) ?? messageOf(error)}).`)
    })
    if (bytesRead > 0) return buffer.subarray(0, bytesRead)
    throw new UploadFailure(`${path} has become shorter while it was sent. Start the upload after the build has ended.`)
  }
  const newBuffer = () => Buffer.allocUnsafe(Math.min(pieceBytes, size))
  let [buffer, other] = [newBuffer(), newBuffer()]
  let next = size > 0 ? read(buffer, offset) : undefined
  for (let at = offset; next !== undefined; ) {
    const piece = await next
    at += piece.length
    ;[buffer, other] = [other, buffer]
    next = at < end ? read(buffer, at) : undefined
    // The error is thrown when the next piece is asked for. Until then it is not unhandled.
    next?.catch(() => {})
    yield piece
  }
}
