/** CRC-32 as zips have it. */
import zlib from 'node:zlib'

/** @param crc that of the bytes before, 0 at the beginning */
type Crc32 = (bytes: Uint8Array, crc: number) => number

/** One table, a byte at a time: 450 MB/s. */
export function tableCrc32(bytes: Uint8Array, crc: number): number {
  let rest = ~crc
  for (const byte of bytes) rest = (table[(rest ^ byte) & 0xff] ?? 0) ^ (rest >>> 8)
  return ~rest >>> 0
}

const table = new Int32Array(256).map((_, index) => {
  let rest = index
  for (let bit = 0; bit < 8; bit++) rest = rest & 1 ? 0xedb88320 ^ (rest >>> 1) : rest >>> 1
  return rest
})

/** Node has its own, ten times faster, from version 20.15. */
export const crc32: Crc32 = typeof zlib.crc32 === 'function' ? zlib.crc32 : tableCrc32
