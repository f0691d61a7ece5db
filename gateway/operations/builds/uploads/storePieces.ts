import { Failure } from '../../../../spec/core/failure.ts'
import type { BlobHashes } from '../../../../storage/ports/blobHashes.ts'
import type { Blobs } from '../../../../storage/ports/blobs.ts'
import type { DiskRoom } from '../../core/diskRoom.ts'
import type { PieceQueue } from './pieceQueue.ts'

export interface PieceStore {
  readonly blobs: Pick<Blobs, 'append' | 'truncate' | 'appendsInFlight'>
  readonly hashes: Pick<BlobHashes, 'follow'>
  readonly room: Pick<DiskRoom, 'requireForPiece'>
}

export interface PieceTarget {
  readonly blob: string
  /** The number of the writer. Once a newer one exists, nothing is changed any more. */
  readonly writer: number
  /** The durable bytes before the first piece. */
  readonly offset: number
  /** Commits that all bytes below `offset` are durable. Rejects if a newer request continues the upload. */
  commit(offset: number): Promise<void>
  /** Whether the database has no newer writer. Only then may bytes be cut off: a newer one, on another process, may have committed them. */
  isNewest(): Promise<boolean>
  /** A piece is durable and hashed: its memory is free for the next bytes. */
  onReleased(): void
}

/** The attempts to append a piece after a writer that was replaced, on another process, has appended in the meantime. */
const appendTries = 3

/** A writer on another process, which this one has replaced, may have appended at the moment of the fence. Its bytes are cut off. */
async function appendAfterFence(
  target: PieceTarget,
  offset: number,
  piece: Uint8Array,
  { blobs }: PieceStore,
): Promise<void> {
  const { blob, writer } = target
  for (let tries = 1; ; tries++) {
    try {
      await blobs.append(blob, offset, piece, writer)
      return
    } catch (error) {
      if (!(error instanceof RangeError) || tries === appendTries) throw error
      if (!(await target.isNewest())) throw replaced()
      await blobs.truncate(blob, offset, writer)
    }
  }
}

/** The disk writes while the free room is read. A piece too many is not committed, and cut off again. */
async function appendWithRoom(
  target: PieceTarget,
  offset: number,
  piece: Uint8Array,
  store: PieceStore,
): Promise<void> {
  await endAll(store.room.requireForPiece(piece.length), appendAfterFence(target, offset, piece, store))
}

/** Awaits all of them, also after a failure: no write may come after a truncation. @throws the error of the first that has failed */
async function endAll(...promises: readonly Promise<void>[]): Promise<void> {
  for (const result of await Promise.allSettled(promises)) if (result.status === 'rejected') throw result.reason
}

/**
 * Stores the pieces of a body until the queue is closed. The order of each is: bytes, `fdatasync`, offset. So an offset that was committed is
 * never above the durable bytes. If the storage permits it, the bytes of the next pieces are written while an offset is committed.
 *
 * @throws Failure INSUFFICIENT_STORAGE, and the errors of `commit`. The blob may then have bytes above the committed offset
 */
export async function storePieces(queue: PieceQueue, target: PieceTarget, store: PieceStore): Promise<void> {
  const inFlight: Promise<void>[] = []
  let committed = target.offset
  let offset = target.offset
  let last = Promise.resolve()
  const storeNext = (piece: Uint8Array): Promise<void> => {
    const from = offset
    offset += piece.length
    const former = last
    const appended = appendWithRoom(target, from, piece, store)
    return (async () => {
      await endAll(former, appended)
      await target.commit(from + piece.length)
      committed = from + piece.length
      void store.hashes.follow(target.blob, from, piece).then(() => {
        queue.release(piece)
        target.onReleased()
      })
    })()
  }
  try {
    for (;;) {
      const piece = await queue.next()
      if (piece === undefined) break
      last = storeNext(piece)
      last.catch(() => {})
      inFlight.push(last)
      if (inFlight.length >= store.blobs.appendsInFlight) await inFlight.shift()
    }
    await last
  } catch (error) {
    await Promise.allSettled(inFlight)
    // On a full disk these bytes would keep the database from writing. If it fails, the next request cuts them off.
    if (await target.isNewest().catch(() => false))
      await store.blobs.truncate(target.blob, committed, target.writer).catch(() => {})
    throw error
  }
}

export function replaced(): Failure {
  return new Failure('CONFLICT', 'A newer request continues this upload, so this one has ended.')
}
