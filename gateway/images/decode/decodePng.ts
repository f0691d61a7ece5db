import { inflateSync } from 'node:zlib'
import { PNG } from 'pngjs'
import type { ImageHeader } from '../imageHeader.ts'
import type { Pixels } from '../pixels.ts'

/** Decodes a PNG of any color type. Channels of 16 bits become 8. Of an animation, the default image. */
export function decodePng(bytes: Buffer, header: ImageHeader): Pixels {
  requireBoundedData(bytes, header)
  const { width, height, data } = PNG.sync.read(bytes)
  return { width, height, data }
}

/**
 * The decoder inflates the data of an interlaced image without a bound, so a small file could take any amount of memory.
 * @throws RangeError if there is more data than the pixels need
 */
function requireBoundedData(bytes: Buffer, { width, height }: ImageHeader): void {
  const isInterlaced = bytes.readUInt8(28) !== 0
  if (!isInterlaced) return
  const parts: Buffer[] = []
  for (let at = 8; at + 12 <= bytes.length; at += 12 + bytes.readUInt32BE(at))
    if (bytes.toString('latin1', at + 4, at + 8) === 'IDAT')
      parts.push(bytes.subarray(at + 8, at + 8 + bytes.readUInt32BE(at)))
  // At most 8 bytes for each pixel, and a filter byte for each line of the seven passes.
  const most = width * height * 8 + 7 * (height + 1) + 64
  inflateSync(Buffer.concat(parts), { maxOutputLength: most })
}
