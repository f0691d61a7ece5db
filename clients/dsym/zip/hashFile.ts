import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'

export interface FileHash {
  /** Bytes that were read. */
  readonly size: number
  /** Hexadecimal. */
  readonly sha256: string
}

/** @throws the error of the file system, or the reason of the signal */
export async function hashFile(path: string, signal: AbortSignal): Promise<FileHash> {
  const hash = createHash('sha256')
  let size = 0
  for await (const piece of createReadStream(path, { highWaterMark: 1024 * 1024 }) as AsyncIterable<Buffer>) {
    signal.throwIfAborted()
    hash.update(piece)
    size += piece.length
  }
  return { size, sha256: hash.digest('hex') }
}
