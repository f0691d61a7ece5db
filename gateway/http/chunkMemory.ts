/**
 * Copies of chunks of bodies. uWebSockets.js passes chunks of 512 KiB on, one after another, if a sender is faster than this process. Memory that
 * the garbage collector counts would start it at every few of them. So these chunks are copied to memory shared between threads, which it does not
 * count, and this memory is used again.
 */

/** The size of the receive buffer of uWebSockets.js. */
const chunkBytes = 512 * 1024
/** 32 MiB. */
const mostFree = 64

const free: SharedArrayBuffer[] = []

export function copyChunk(chunk: ArrayBuffer): Uint8Array {
  const bytes = new Uint8Array(chunk)
  if (bytes.length !== chunkBytes) return bytes.slice()
  const copy = new Uint8Array(free.pop() ?? new SharedArrayBuffer(chunkBytes))
  copy.set(bytes)
  return copy
}

/** The memory of a copy is used again. */
export function releaseChunk({ buffer }: Uint8Array): void {
  if (buffer instanceof SharedArrayBuffer && free.length < mostFree) free.push(buffer)
}

/** The copies as one buffer that any code can read. Their memory is used again. */
export function joinChunks(chunks: readonly Uint8Array[]): Buffer {
  const [first] = chunks
  if (chunks.length === 1 && first?.buffer instanceof ArrayBuffer)
    return Buffer.from(first.buffer, first.byteOffset, first.length)
  const joined = Buffer.concat(chunks)
  for (const chunk of chunks) releaseChunk(chunk)
  return joined
}
