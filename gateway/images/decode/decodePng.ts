import { inflateSync } from 'node:zlib'
import { PNG } from 'pngjs'
import type { ImageHeader } from '../imageHeader.ts'
import { damaged } from '../imageProblem.ts'
import type { Pixels } from '../pixels.ts'

/** Decodes a PNG of any color type. Channels of 16 bits become 8. Of an animation, the default image. */
export function decodePng(bytes: Buffer, header: ImageHeader): Pixels {
  const compressed = readData(bytes)
  const isInterlaced = bytes.readUInt8(28) !== 0
  if (isInterlaced) requireBoundedData(compressed, header)
  const { width, height, data } = PNG.sync.read(bytes)
  return { width, height, data }
}

/**
 * The data that the decoder inflates. The decoder uses the last header of a file, wherever it is, but only the first one was checked.
 * @throws ImageProblem DAMAGED if there is another header
 */
function readData(bytes: Buffer): readonly Buffer[] {
  const parts: Buffer[] = []
  let headers = 0
  for (let at = 8; at + 12 <= bytes.length; at += 12 + bytes.readUInt32BE(at)) {
    const type = bytes.toString('latin1', at + 4, at + 8)
    if (type === 'IHDR') headers += 1
    if (headers > 1) throw damaged('it has two IHDR chunks')
    if (type === 'IDAT') parts.push(bytes.subarray(at + 8, at + 8 + bytes.readUInt32BE(at)))
  }
  return parts
}

/**
 * The decoder inflates the data of an interlaced image without a bound, so a small file could take any amount of memory.
 * @throws RangeError if there is more data than the pixels need
 */
function requireBoundedData(compressed: readonly Buffer[], { width, height }: ImageHeader): void {
  // At most 8 bytes for each pixel, and a filter byte for each line of the seven passes.
  const most = width * height * 8 + 7 * (height + 1) + 64
  inflateSync(Buffer.concat(compressed), { maxOutputLength: most })
}
