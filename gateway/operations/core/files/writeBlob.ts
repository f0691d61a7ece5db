import type { Blobs } from '../../../../storage/ports/blobs.ts'
import type { DiskRoom } from '../diskRoom.ts'

const pieceBytes = 4 * 1024 * 1024

/**
 * Writes a blob that one request makes whole. It is durable when the promise resolves. A blob that an interrupted request has begun is written
 * again.
 * @throws Failure INSUFFICIENT_STORAGE, UNAVAILABLE
 */
export async function writeBlob(
  name: string,
  bytes: Uint8Array,
  {
    blobs,
    room,
  }: { readonly blobs: Pick<Blobs, 'truncate' | 'append'>; readonly room: Pick<DiskRoom, 'requireForPiece'> },
): Promise<void> {
  await room.requireForPiece(bytes.length)
  await blobs.truncate(name, 0)
  for (let offset = 0; offset < bytes.length; )
    offset = await blobs.append(name, offset, bytes.subarray(offset, offset + pieceBytes))
}
