import type { FileHandle } from 'node:fs/promises'
import { type ByteSource, partOf } from './byteSource.ts'
import type { MachORange } from './readMachO.ts'

/** A part of an open file. */
export function sourceOfFile(file: FileHandle, { offset: start, size }: MachORange): ByteSource {
  const read = async (offset: number, length: number): Promise<Buffer> => {
    const { bytesRead, buffer } = await file.read(Buffer.alloc(length), 0, length, start + offset)
    if (bytesRead < length) throw new RangeError(`${length} bytes at ${offset} are not within the file`)
    return buffer
  }
  return partOf({ size, read }, 0, size)
}
