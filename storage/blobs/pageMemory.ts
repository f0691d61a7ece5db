/**
 * Memory that begins on a page. A disk takes whole pages from it by itself (`O_DIRECT`): nothing is copied into the page cache, so the
 * pages of the database stay there. Threads read it without a copy.
 */

/** A multiple of the block size of every usual disk. */
const pageBytes = 4096

/** V8 gives pages of their own to buffers that can grow. Other buffers begin anywhere. */
export function allocatePages(bytes: number): Uint8Array {
  return new Uint8Array(new SharedArrayBuffer(bytes, { maxByteLength: bytes }), 0, bytes)
}

/** Whether a disk can take the bytes by itself, and put them at `offset` of a file. */
export function areWholePages(data: Uint8Array, offset: number): boolean {
  const { buffer, byteOffset, length } = data
  return (
    buffer instanceof SharedArrayBuffer &&
    buffer.growable &&
    length > 0 &&
    [byteOffset, length, offset].every((position) => position % pageBytes === 0)
  )
}
