/**
 * The threads of a crash report as a file, of which a reader reads only the calls that it shows: a report can have a million of them.
 *
 *     bytes 0–7    `SBTHRD01`
 *     bytes 8–11   the size of the index, unsigned, little endian
 *     index        gzip of JSON, see `ThreadIndex`
 *     blocks       each is gzip of a JSON array of frames. The frames of all threads follow each other
 */
import type { StoredImage, StoredThread } from './storedThreads.ts'

export const magic = Buffer.from('SBTHRD01')
export const headerBytes = magic.length + 4

export interface ThreadHead extends Omit<StoredThread, 'frames'> {
  readonly frameCount: number
}

export interface ThreadIndex {
  readonly images: readonly StoredImage[]
  readonly threads: readonly ThreadHead[]
  /** The number of frames of each block, and the size of the block in the file. */
  readonly blocks: readonly { readonly frames: number; readonly bytes: number }[]
}
