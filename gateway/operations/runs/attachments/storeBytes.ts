import { createHash } from 'node:crypto'
import type { Blobs } from '../../../../storage/ports/blobs.ts'
import type { DiskRoom } from '../../core/diskRoom.ts'

/** The bytes that are written, and made durable, at once. An upload holds at most this much, and what it has received ahead, in memory. */
const pieceBytes = 4 * 1024 * 1024

export interface StoredBytes {
  readonly size: number
  readonly sha256: string
}

export interface ByteStore {
  readonly blobs: Pick<Blobs, 'append'>
  readonly room: Pick<DiskRoom, 'requireForNew'>
}

/** Writes a new blob. It is durable when the promise resolves. @throws Failure INSUFFICIENT_STORAGE */
export async function storeBytes(
  name: string,
  bytes: AsyncIterable<Uint8Array>,
  { blobs, room }: ByteStore,
): Promise<StoredBytes> {
  const hash = createHash('sha256')
  // One buffer for all pieces: the garbage of new ones would be collected only after many of them.
  const piece = Buffer.allocUnsafe(pieceBytes)
  let filled = 0
  let size = 0
  const write = async () => {
    await room.requireForNew(filled)
    size = await blobs.append(name, size, piece.subarray(0, filled))
    filled = 0
  }
  for await (const chunk of bytes) {
    hash.update(chunk)
    for (let taken = 0; taken < chunk.length; ) {
      const part = chunk.subarray(taken, taken + pieceBytes - filled)
      piece.set(part, filled)
      filled += part.length
      taken += part.length
      if (filled === pieceBytes) await write()
    }
  }
  // An empty file is a blob too.
  if (filled > 0 || size === 0) await write()
  return { size, sha256: hash.digest('hex') }
}
