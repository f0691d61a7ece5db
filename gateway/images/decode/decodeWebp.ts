import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import decode, { init } from '@jsquash/webp/decode.js'
import { chunksOfWebp, type ImageHeader, sizeOfWebpImage, webpStart } from '../imageHeader.ts'
import { damaged } from '../imageProblem.ts'
import type { Pixels } from '../pixels.ts'

let ready: Promise<void> | undefined

/** Decodes a WebP. The decoder accepts still images only, so the first frame of an animation is given to it as one. */
export async function decodeWebp(bytes: Buffer, { width, height, isAnimated }: ImageHeader): Promise<Pixels> {
  ready ??= start()
  await ready
  if (!isAnimated) return await decodeStill(bytes.subarray(webpStart), width, height, 'it')
  const frame = firstFrame(bytes)
  if (frame.x + frame.width > width || frame.y + frame.height > height)
    throw damaged('its first frame is not inside of the image')
  const { data } = await decodeStill(frame.content, frame.width, frame.height, 'its first frame')
  const canvas = new Uint8Array(width * height * 4)
  for (let y = 0; y < frame.height; y++)
    canvas.set(data.subarray(y * frame.width * 4, (y + 1) * frame.width * 4), ((frame.y + y) * width + frame.x) * 4)
  return { width, height, data: canvas }
}

/** The decoder is WebAssembly for browsers: it loads its program by `fetch`, and returns what a browser's canvas takes. */
async function start(): Promise<void> {
  Object.assign(globalThis, {
    ImageData: class {
      readonly data: Uint8ClampedArray
      readonly width: number
      readonly height: number

      constructor(data: Uint8ClampedArray, width: number, height: number) {
        this.data = data
        this.width = width
        this.height = height
      }
    },
  })
  const file = fileURLToPath(import.meta.resolve('@jsquash/webp/codec/dec/webp_dec.wasm'))
  await init(await WebAssembly.compile(readFileSync(file)))
}

/** @param what its subject in a problem */
async function decodeStill(content: Buffer, width: number, height: number, what: string): Promise<Pixels> {
  const image = await decode(new Uint8Array(stillOf(content, width, height, what)).buffer)
  return { width, height, data: new Uint8Array(image.data.buffer, image.data.byteOffset, image.data.length) }
}

/**
 * A file with only the first image of these chunks, and its transparency. The decoder takes the memory for an image before its size can be
 * compared, and a small file can declare a huge one. So it gets nothing that was not checked.
 * @throws ImageProblem DAMAGED if there is no image, or it has another size
 */
function stillOf(content: Buffer, width: number, height: number, what: string): Buffer {
  let alpha: Buffer | undefined
  for (const chunk of chunksOfWebp(content, 0)) {
    const data = content.subarray(chunk.start, chunk.end)
    if (chunk.name === 'ALPH') alpha ??= data
    const size = sizeOfWebpImage(content, chunk)
    if (size === undefined) continue
    if (size.width !== width || size.height !== height)
      throw damaged(`${what} declares ${width}x${height} pixels and has ${size.width}x${size.height}`)
    if (chunk.end > content.length) throw damaged('its image ends too early')
    const transparency = alpha === undefined ? [] : [extendedHeader(width, height), chunkOf('ALPH', alpha)]
    const image = chunkOf(chunk.name, data)
    return chunkOf('RIFF', Buffer.concat([Buffer.from('WEBP', 'latin1'), ...transparency, image]))
  }
  throw damaged(`${what} has no image`)
}

/** The chunk that allows transparency in a chunk of its own. */
function extendedHeader(width: number, height: number): Buffer {
  const content = Buffer.alloc(10)
  content.writeUInt8(0x10, 0)
  content.writeUIntLE(width - 1, 4, 3)
  content.writeUIntLE(height - 1, 7, 3)
  return chunkOf('VP8X', content)
}

function chunkOf(name: string, content: Buffer): Buffer {
  const head = Buffer.alloc(8)
  head.write(name, 0, 'latin1')
  head.writeUInt32LE(content.length, 4)
  return Buffer.concat([head, content, Buffer.alloc(content.length % 2)])
}

interface Frame {
  readonly x: number
  readonly y: number
  readonly width: number
  readonly height: number
  /** The chunks of the frame. */
  readonly content: Buffer
}

function firstFrame(bytes: Buffer): Frame {
  for (const { name, start: at, end } of chunksOfWebp(bytes, webpStart)) {
    if (name !== 'ANMF') continue
    const [x, y] = [bytes.readUIntLE(at, 3) * 2, bytes.readUIntLE(at + 3, 3) * 2]
    const [width, height] = [bytes.readUIntLE(at + 6, 3) + 1, bytes.readUIntLE(at + 9, 3) + 1]
    return { x, y, width, height, content: bytes.subarray(at + 16, end) }
  }
  throw damaged('it has no frame')
}
