/** A file, or a part of one, that is read at any place. */
export interface ByteSource {
  /** Bytes. */
  readonly size: number
  /** @returns exactly `length` bytes. @throws RangeError if the source has fewer from there */
  read(offset: number, length: number): Promise<Buffer>
}

/** @throws RangeError if the part is not within the source */
export function partOf(source: ByteSource, offset: number, size: number): ByteSource {
  requireWithin(source, offset, size)
  return {
    size,
    read: async (from, length) => {
      requireWithin({ size }, from, length)
      return source.read(offset + from, length)
    },
  }
}

export function sourceOf(bytes: Uint8Array): ByteSource {
  const all = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  return {
    size: all.length,
    read: async (offset, length) => {
      requireWithin({ size: all.length }, offset, length)
      return all.subarray(offset, offset + length)
    },
  }
}

function requireWithin({ size }: Pick<ByteSource, 'size'>, offset: number, length: number): void {
  const isWithin = [offset, length].every((one) => Number.isSafeInteger(one) && one >= 0) && offset + length <= size
  if (!isWithin) throw new RangeError(`${length} bytes at ${offset} are not within ${size} bytes`)
}
