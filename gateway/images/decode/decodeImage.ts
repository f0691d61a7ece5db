/** Decodes an image to its pixels. Of an animation, the first frame. It runs in the worker thread only. */
import jpeg from 'jpeg-js'
import { GifReader } from 'omggif'
import type { ImageFormat } from '../../../spec/worktrees/imageFormat.ts'
import { type ImageHeader, readImageHeader } from '../imageHeader.ts'
import { damaged, ImageProblem } from '../imageProblem.ts'
import { orient, type Pixels } from '../pixels.ts'
import { decodePng } from './decodePng.ts'
import { decodeWebp } from './decodeWebp.ts'

/** @throws ImageProblem */
export async function decodeImage(bytes: Buffer, format: ImageFormat, maxPixels: number): Promise<Pixels> {
  const header = readImageHeader(bytes, format)
  const { width, height } = header
  if (width * height > maxPixels)
    throw new ImageProblem('TOO_MANY_PIXELS', `it has ${width}x${height} pixels, and at most ${maxPixels} are decoded`)
  try {
    return orient(requireSize(await decoders[format](bytes, header), header), header.orientation)
  } catch (error) {
    if (error instanceof ImageProblem) throw error
    throw damaged(error instanceof Error ? error.message : String(error))
  }
}

type Decoder = (bytes: Buffer, header: ImageHeader) => Pixels | Promise<Pixels>

const decoders: Readonly<Record<ImageFormat, Decoder>> = {
  PNG: decodePng,
  JPEG: decodeJpeg,
  GIF: decodeGif,
  WEBP: decodeWebp,
}

/** A decoder finds a header of its own, for example of a second image in the file. */
function requireSize(image: Pixels, { width, height }: ImageHeader): Pixels {
  if (image.width === width && image.height === height) return image
  throw damaged(`it declares ${width}x${height} pixels and has ${image.width}x${image.height}`)
}

/** The decoder takes the memory for each frame that it finds, and only then refuses a file with two. So both bounds are those of the header. */
function decodeJpeg(bytes: Buffer, { width, height }: ImageHeader): Pixels {
  return jpeg.decode(bytes, {
    useTArray: true,
    formatAsRGBA: true,
    tolerantDecoding: true,
    // A half pixel more, because the decoder multiplies again, and the product of fractions can be a little less.
    maxResolutionInMP: (width * height + 0.5) / 1e6,
    maxMemoryUsageInMB: jpegMemory(width, height),
  })
}

/** The most memory for a JPEG of this size, MB, as its decoder counts. */
function jpegMemory(width: number, height: number): number {
  // A coefficient has 4 bytes, and a sample is kept twice. The result has 4 bytes for each pixel.
  const components = 4
  const bytesOfPixel = components * (4 + 1 + 1) + 4
  // Blocks of 8 pixels are grouped, at most 4 in each direction, and the last group may be outside in part.
  const padded = (width + 32) * (height + 32)
  // A file with many scans has many tables.
  const tables = 16
  return Math.ceil((padded * bytesOfPixel) / 2 ** 20) + tables
}

function decodeGif(bytes: Buffer): Pixels {
  const reader = new GifReader(bytes)
  const { width, height } = reader
  const frame = reader.frameInfo(0)
  if (frame.x + frame.width > width || frame.y + frame.height > height)
    throw damaged('its first frame is not inside of the image')
  const data = new Uint8Array(width * height * 4)
  reader.decodeAndBlitFrameRGBA(0, data)
  return { width, height, data }
}
