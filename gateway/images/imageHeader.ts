/** The size of an image and whether it is an animation, from its header. Nothing is decoded, so a hostile file costs nothing. */
import type { ImageFormat } from '../../spec/worktrees/imageFormat.ts'
import { damaged } from './imageProblem.ts'

export interface ImageHeader {
  /** As stored: an EXIF orientation may exchange the two. */
  readonly width: number
  readonly height: number
  /** Whether it has more than one frame. */
  readonly isAnimated: boolean
  /** The EXIF orientation, 1 to 8. 1: as stored. */
  readonly orientation: number
}

/** @throws ImageProblem DAMAGED */
export function readImageHeader(bytes: Buffer, format: ImageFormat): ImageHeader {
  let header: ImageHeader
  try {
    header = readers[format](bytes)
  } catch (error) {
    if (!(error instanceof RangeError)) throw error
    throw damaged('its header ends too early')
  }
  if (header.width > 0 && header.height > 0) return header
  throw damaged(`its size is ${header.width}x${header.height}`)
}

const readers: Readonly<Record<ImageFormat, (bytes: Buffer) => ImageHeader>> = {
  PNG: readPng,
  JPEG: readJpeg,
  GIF: readGif,
  WEBP: readWebp,
}

const still = { isAnimated: false, orientation: 1 }

function readPng(bytes: Buffer): ImageHeader {
  if (bytes.toString('latin1', 12, 16) !== 'IHDR') throw damaged('its first chunk is not IHDR')
  let isAnimated = false
  for (let at = 8; at + 8 <= bytes.length; at += 12 + bytes.readUInt32BE(at)) {
    const type = bytes.toString('latin1', at + 4, at + 8)
    if (type === 'acTL') isAnimated = bytes.readUInt32BE(at + 8) > 1
    if (type === 'IDAT') break
  }
  return { ...still, width: bytes.readUInt32BE(16), height: bytes.readUInt32BE(20), isAnimated }
}

function readJpeg(bytes: Buffer): ImageHeader {
  let orientation = 1
  for (let at = 2; ; ) {
    if (bytes.readUInt8(at) !== 0xff) throw damaged('it has no frame header')
    const marker = bytes.readUInt8(at + 1)
    if (marker === 0xff) {
      // A fill byte.
      at += 1
      continue
    }
    const length = bytes.readUInt16BE(at + 2)
    const isFrame = marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker)
    if (isFrame) {
      const [height, width] = [bytes.readUInt16BE(at + 5), bytes.readUInt16BE(at + 7)]
      return { ...still, width, height, orientation }
    }
    if (marker === 0xe1) orientation = readOrientation(bytes.subarray(at + 4, at + 2 + length)) ?? orientation
    if (marker === 0xd9 || marker === 0xda) throw damaged('it has no frame header')
    at += 2 + length
  }
}

/** Undefined if the segment has none. */
function readOrientation(segment: Buffer): number | undefined {
  if (segment.toString('latin1', 0, 6) !== 'Exif\0\0') return undefined
  const tiff = segment.subarray(6)
  const isLittle = tiff.toString('latin1', 0, 2) === 'II'
  const read16 = (at: number) => (isLittle ? tiff.readUInt16LE(at) : tiff.readUInt16BE(at))
  const read32 = (at: number) => (isLittle ? tiff.readUInt32LE(at) : tiff.readUInt32BE(at))
  try {
    const folder = read32(4)
    for (let index = 0; index < read16(folder); index++) {
      const entry = folder + 2 + index * 12
      if (read16(entry) !== 0x0112) continue
      const orientation = read16(entry + 8)
      return orientation >= 1 && orientation <= 8 ? orientation : undefined
    }
  } catch (error) {
    // Browsers ignore broken metadata too.
    if (!(error instanceof RangeError)) throw error
  }
  return undefined
}

function readGif(bytes: Buffer): ImageHeader {
  const [width, height] = [bytes.readUInt16LE(6), bytes.readUInt16LE(8)]
  const packed = bytes.readUInt8(10)
  const colors = (flags: number) => (flags & 0x80 ? 3 * 2 ** ((flags & 7) + 1) : 0)
  let frames = 0
  let at = 13 + colors(packed)
  const skipBlocks = () => {
    for (let size = bytes.readUInt8(at); size > 0; size = bytes.readUInt8(at)) at += size + 1
    at += 1
  }
  // The end may be cut off.
  while (frames < 2 && at < bytes.length) {
    const kind = bytes[at]
    if (kind === 0x21) {
      at += 2
      skipBlocks()
    } else if (kind === 0x2c) {
      frames += 1
      const [frameWidth, frameHeight] = [bytes.readUInt16LE(at + 5), bytes.readUInt16LE(at + 7)]
      if (frameWidth > width || frameHeight > height) throw damaged('a frame is larger than the image')
      at += 10 + colors(bytes.readUInt8(at + 9))
      at += 1
      skipBlocks()
    } else break
  }
  if (frames === 0) throw damaged('it has no frame')
  return { ...still, width, height, isAnimated: frames > 1 }
}

/** The position of the first chunk of a WebP. */
export const webpStart = 12

interface WebpChunk {
  readonly name: string
  /** The positions of the content. The end is outside of a file that is cut off. */
  readonly start: number
  readonly end: number
}

export function* chunksOfWebp(bytes: Buffer, from: number): Generator<WebpChunk> {
  for (let at = from; at + 8 <= bytes.length; ) {
    const size = bytes.readUInt32LE(at + 4)
    const [start, end] = [at + 8, at + 8 + size]
    yield { name: bytes.toString('latin1', at, at + 4), start, end }
    at = end + (size % 2)
  }
}

/** Only VP8X declares a size and can be an animation, and only as the first chunk: the decoder ignores it elsewhere. */
function readWebp(bytes: Buffer): ImageHeader {
  const [first] = chunksOfWebp(bytes, webpStart)
  if (first?.name === 'VP8X') {
    const at = first.start
    const isAnimated = (bytes.readUInt8(at) & 2) !== 0
    const [width, height] = [bytes.readUIntLE(at + 4, 3) + 1, bytes.readUIntLE(at + 7, 3) + 1]
    return { ...still, width, height, isAnimated }
  }
  const size = first && sizeOfWebpImage(bytes, first)
  if (size === undefined) throw damaged('its first chunk is neither VP8X nor an image')
  return { ...still, ...size }
}

interface Size {
  readonly width: number
  readonly height: number
}

/** The size that an encoded image of a WebP has, not the one that the file declares. Undefined if the chunk is no image. */
export function sizeOfWebpImage(bytes: Buffer, { name, start }: WebpChunk): Size | undefined {
  if (name === 'VP8 ') return sizeOfVp8(bytes, start)
  if (name === 'VP8L') return sizeOfVp8l(bytes, start)
  return undefined
}

function sizeOfVp8(bytes: Buffer, at: number): Size {
  return { width: bytes.readUInt16LE(at + 6) & 0x3fff, height: bytes.readUInt16LE(at + 8) & 0x3fff }
}

function sizeOfVp8l(bytes: Buffer, at: number): Size {
  const bits = bytes.readUInt32LE(at + 1)
  return { width: (bits & 0x3fff) + 1, height: ((bits >>> 14) & 0x3fff) + 1 }
}
