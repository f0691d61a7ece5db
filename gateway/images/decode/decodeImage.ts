/** Decodes an image to its pixels. Of an animation, the first frame. It runs in the worker thread only. */
import jpeg from 'jpeg-js'
import { GifReader } from 'omggif'
import type { ImageFormat } from '../../../spec/worktrees/imageFormat.ts'
import { type ImageHeader, readImageHeader } from '../imageHeader.ts'
import { damaged, ImageProblem } from '../imageProblem.ts'
import { orient, type Pixels } from '../pixels.ts'
import { decodePng } from './decodePng.ts'
import { decodeWebp } from './decodeWebp.ts'

/** The most memory for the coefficients of a JPEG, MB. The largest image that is accepted needs less. */
const jpegMemory = 1_024

/** @throws ImageProblem */
export async function decodeImage(bytes: Buffer, format: ImageFormat, maxPixels: number): Promise<Pixels> {
  const header = readImageHeader(bytes, format)
  const { width, height } = header
  if (width * height > maxPixels)
    throw new ImageProblem('TOO_MANY_PIXELS', `it has ${width}x${height} pixels, and at most ${maxPixels} are decoded`)
  try {
    return orient(await decoders[format](bytes, header), header.orientation)
  } catch (error) {
    if (error instanceof ImageProblem) throw error
    throw damaged(error instanceof Error ? error.message : String(error))
  }
}

type Decoder = (bytes: Buffer, header: ImageHeader) => Pixels | Promise<Pixels>

const decoders: Readonly<Record<ImageFormat, Decoder>> = {
  PNG: decodePng,
  JPEG: (bytes, { width, height }) =>
    requireSize(
      jpeg.decode(bytes, {
        useTArray: true,
        formatAsRGBA: true,
        tolerantDecoding: true,
        maxResolutionInMP: Math.ceil((width * height) / 1e6),
        maxMemoryUsageInMB: jpegMemory,
      }),
      width,
      height,
    ),
  GIF: decodeGif,
  WEBP: decodeWebp,
}

/** The decoder finds a header of its own, for example of a second image in the file. */
function requireSize(image: Pixels, width: number, height: number): Pixels {
  if (image.width === width && image.height === height) return image
  throw damaged(`it declares ${width}x${height} pixels and has ${image.width}x${image.height}`)
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
