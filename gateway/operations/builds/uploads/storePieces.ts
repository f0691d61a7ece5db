import type { BlobHashes } from '../../../../storage/ports/blobHashes.ts'
import type { Blobs } from '../../../../storage/ports/blobs.ts'
import type { DiskRoom } from '../../core/diskRoom.ts'
import type { PieceQueue } from './pieceQueue.ts'

export interface PieceStore {
  readonly blobs: Pick<Blobs, 'append' | 'truncate'>
  readonly hashes: Pick<BlobHashes, 'follow'>
  readonly room: Pick<DiskRoom, 'requireForPiece'>
}

export interface PieceTarget {
  readonly blob: string
  /** The durable bytes before the first piece. */
  readonly offset: number
  /** Commits that all bytes below `offset` are durable. Rejects if a newer request continues the upload. */
  commit(offset: number): Promise<void>
  /** The piece is durable, and the next bytes may come. */
  onStored(): void
}

/** The attempts to append a piece after a writer that was replaced, on another process, has appended in the meantime. */
const appendTries = 3

/**
 * A writer on another process, which this one has replaced, may append once more before its commit is refused. Its bytes are cut off.
 */
async function append(blob: string, offset: number, piece: Uint8Array, blobs: PieceStore['blobs']): Promise<void> {
  for (let tries = 1; ; tries++) {
    try {
      await blobs.append(blob, offset, piece)
      return
    } catch (error) {
      if (!(error instanceof RangeError) || tries === appendTries) throw error
      await blobs.truncate(blob, offset)
    }
  }
}

/**
 * Stores the pieces of a body one after another until the queue is closed. The order of each is: bytes, `fdatasync`, offset. So an offset
 * that was committed is never above the durable bytes.
 *
 * @throws Failure INSUFFICIENT_STORAGE, and the errors of `commit`. The blob may then have bytes above the committed offset
 */
export async function storePieces(queue: PieceQueue, target: PieceTarget, store: PieceStore): Promise<void> {
  let { offset } = target
  for (;;) {
    const piece = await queue.next()
    if (piece === undefined) return
    try {
      await store.room.requireForPiece(piece.length)
      await append(target.blob, offset, piece, store.blobs)
    } catch (error) {
      // On a full disk these bytes would keep the database from writing. If it fails, the next request cuts them off.
      await store.blobs.truncate(target.blob, offset).catch(() => {})
      throw error
    }
    const from = offset
    offset += piece.length
    await target.commit(offset)
    store.hashes.follow(target.blob, from, piece)
    queue.release(piece)
    target.onStored()
  }
}
