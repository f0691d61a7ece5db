/** Loads the bytes that the agent has sent for one side of an image. */
import { createHash } from 'node:crypto'
import { Failure } from '../../../../spec/core/failure.ts'
import { type DiffImageContent, type DiffImageSide, diffImageBlob } from '../../../../spec/worktrees/diffImages.ts'
import type { Blobs } from '../../../../storage/ports/blobs.ts'
import { type ImageHeader, readImageHeader } from '../../../images/imageHeader.ts'
import { ImageProblem } from '../../../images/imageProblem.ts'
import { describeImageProblem } from './diffImageFailures.ts'
import type { DiffImageReading } from './readDiffImage.ts'

type StoredContent = Extract<DiffImageContent, { readonly sha256: string }>

/** One side with its bytes. */
export interface LoadedSide extends Omit<StoredContent, 'size'> {
  readonly bytes: Buffer
  readonly header: ImageHeader
}

/**
 * Undefined if the side has no image.
 * @throws Failure UNAVAILABLE if its bytes are gone, PAYLOAD_TOO_LARGE, UNSUPPORTED_IMAGE
 */
export async function loadSide(
  side: DiffImageSide,
  { id, contents }: DiffImageReading,
  blobs: Pick<Blobs, 'read'>,
  maxPixels: number,
): Promise<LoadedSide | undefined> {
  const found = contents[side]
  if (!('sha256' in found)) return undefined
  const { content, size, sha256 } = found
  const bytes = await readBytes(diffImageBlob(side, id), size, blobs)
  if (createHash('sha256').update(bytes).digest('hex') !== sha256)
    throw new Failure('UNAVAILABLE', 'The bytes of the image are no longer on the server. Try again.', {
      retryAfterMs: 1_000,
    })
  try {
    const header = readImageHeader(bytes, content)
    const { width, height } = header
    if (width * height <= maxPixels) return { content, sha256, bytes, header }
    const problem = `it has ${width}x${height} pixels, and at most ${maxPixels} pixels are compared`
    throw new ImageProblem('TOO_MANY_PIXELS', problem)
  } catch (error) {
    throw error instanceof ImageProblem ? describeImageProblem(error, side, maxPixels) : error
  }
}

async function readBytes(name: string, size: number, blobs: Pick<Blobs, 'read'>): Promise<Buffer> {
  const parts: Uint8Array[] = []
  try {
    for await (const part of blobs.read(name, 0, size)) parts.push(part)
  } catch (error) {
    if (error instanceof Failure) throw error
    // There is no blob. The checksum of nothing is another one.
    return Buffer.alloc(0)
  }
  return Buffer.concat(parts)
}
