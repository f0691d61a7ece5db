import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import decode, { init } from '@jsquash/webp/decode.js'
import { chunksOfWebp, type ImageHeader, sizeOfWebpImage } from '../imageHeader.ts'
import { damaged } from '../imageProblem.ts'
import type { Pixels } from '../pixels.ts'

let ready: Promise<void> | undefined

/** Decodes a WebP. The decoder accepts still images only, so the first frame of an animation is given to it as one. */
export async function decodeWebp(bytes: Buffer, { width, height, isAnimated }: ImageHeader): Promise<Pixels> {
  ready ??= start()
  await ready
  if (!isAnimated) return await decodeStill(bytes, width, height)
  const frame = firstFrame(bytes)
  if (frame.x + frame.width > width || frame.y + frame.height > height)
    throw damaged('its first frame is not inside of the image')
  const { data } = await decodeStill(frame.still, frame.width, frame.height)
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

async function decodeStill(bytes: Buffer, width: number, height: number): Promise<Pixels> {
  const image = await decode(new Uint8Array(bytes).buffer)
  if (image.width !== width || image.height !== height)
    throw damaged(`it declares ${width}x${height} pixels and has ${image.width}x${image.height}`)
  return { width, height, data: new Uint8Array(image.data.buffer, image.data.byteOffset, image.data.length) }
}

interface Frame {
  readonly x: number
  readonly y: number
  readonly width: number
  readonly height: number
  /** A file with this frame alone. */
  readonly still: Buffer
}

/** The decoder takes the memory for an image before its size can be compared, and a small file can declare a huge one. */
function requireFrameSize(content: Buffer, width: number, height: number): void {
  const size = sizeOfWebpImage(content, 0)
  if (size === undefined) throw damaged('its first frame has no image')
  if (size.width === width && size.height === height) return
  throw damaged(`its first frame declares ${width}x${height} pixels and has ${size.width}x${size.height}`)
}

function firstFrame(bytes: Buffer): Frame {
  const found = [...chunksOfWebp(bytes)].find(({ name }) => name === 'ANMF')
  if (found === undefined) throw damaged('it has no frame')
  const { start: at, end } = found
  const [x, y] = [bytes.readUIntLE(at, 3) * 2, bytes.readUIntLE(at + 3, 3) * 2]
  const [width, height] = [bytes.readUIntLE(at + 6, 3) + 1, bytes.readUIntLE(at + 9, 3) + 1]
  const content = bytes.subarray(at + 16, end)
  requireFrameSize(content, width, height)
  const hasAlpha = [...chunksOfWebp(content, 0)].some(({ name }) => name === 'ALPH')
  const extended = Buffer.alloc(18)
  extended.write('VP8X', 0, 'latin1')
  extended.writeUInt32LE(10, 4)
  extended.writeUInt8(0x10, 8)
  extended.writeUIntLE(width - 1, 12, 3)
  extended.writeUIntLE(height - 1, 15, 3)
  const body = Buffer.concat([Buffer.from('WEBP', 'latin1'), ...(hasAlpha ? [extended] : []), content])
  const head = Buffer.alloc(8)
  head.write('RIFF', 0, 'latin1')
  head.writeUInt32LE(body.length, 4)
  return { x, y, width, height, still: Buffer.concat([head, body]) }
}
