/** Images that were made to cost much, or that lie about themselves. */
import assert from 'node:assert/strict'
import { before, describe, mock, test } from 'node:test'
import { decodeImage } from '../../../gateway/images/decode/decodeImage.ts'
import { ImageProblem } from '../../../gateway/images/imageProblem.ts'
import type { Pixels } from '../../../gateway/images/pixels.ts'
import type { ImageFormat } from '../../../spec/worktrees/imageFormat.ts'
import {
  animatedGif,
  animatedWebp,
  blueWebp,
  declarePng,
  gif,
  makePng,
  orientJpeg,
  redJpeg,
  redWebp,
} from '../../kit/program/objects/images.ts'

const maxPixels = 1_000_000

// A decoder prints a warning about some damaged images.
before(() => void mock.method(console, 'log', () => {}))

async function decode(bytes: Buffer, format: ImageFormat): Promise<Pixels | ImageProblem> {
  try {
    return await decodeImage(bytes, format, maxPixels)
  } catch (error) {
    // Any other error would be shown as a fault of the server.
    assert.ok(error instanceof ImageProblem, String(error))
    return error
  }
}

/** Replaces the size in the header of each lossless WebP frame. One color has no codes, so any size has the same bytes. */
function enlargeWebp(webp: Buffer, width: number, height: number): Buffer {
  const copy = Buffer.from(webp)
  for (let at = copy.indexOf('VP8L'); at >= 0; at = copy.indexOf('VP8L', at + 4)) {
    const flags = copy.readUInt32LE(at + 9) & 0xf0000000
    copy.writeUInt32LE(((width - 1) | ((height - 1) << 14) | flags) >>> 0, at + 9)
  }
  return copy
}

describe('an image that declares more pixels than are decoded is refused before it is decoded', () => {
  const bombs: Readonly<Record<string, readonly [Buffer, ImageFormat]>> = {
    PNG: [declarePng(60_000, 60_000, Buffer.alloc(10)), 'PNG'],
    WebP: [enlargeWebp(redWebp, 16_383, 16_383), 'WEBP'],
  }
  for (const [name, [bytes, format]] of Object.entries(bombs))
    test(name, async () => {
      const problem = await decode(bytes, format)
      assert.ok(problem instanceof ImageProblem)
      assert.equal(problem.reason, 'TOO_MANY_PIXELS')
    })
})

test('a frame of a WebP animation that is larger than it declares takes no memory', async () => {
  const bomb = enlargeWebp(animatedWebp, 16_383, 16_383)
  await decode(animatedWebp, 'WEBP')
  const former = process.resourceUsage().maxRSS
  const problem = await decode(bomb, 'WEBP')
  assert.ok(problem instanceof ImageProblem)
  assert.equal(problem.reason, 'DAMAGED')
  assert.equal(problem.message, 'its first frame declares 8x4 pixels and has 16383x16383')
  const grownMib = (process.resourceUsage().maxRSS - former) / 1024
  assert.ok(grownMib < 50, `${grownMib.toFixed(0)} MiB more`)
})

describe('a damaged image is decoded in part, or has a problem, within a second', () => {
  const images: Readonly<Record<string, readonly [Buffer, ImageFormat]>> = {
    PNG: [makePng(33, 17, (x, y) => [x * 7, y * 15, x * y, 255 - x]), 'PNG'],
    'interlaced PNG': [declarePng(8, 4, Buffer.alloc(200), true), 'PNG'],
    JPEG: [redJpeg, 'JPEG'],
    'JPEG with an orientation': [orientJpeg(redJpeg, 6), 'JPEG'],
    GIF: [gif, 'GIF'],
    'animated GIF': [animatedGif, 'GIF'],
    'lossless WebP': [redWebp, 'WEBP'],
    'WebP with alpha': [blueWebp, 'WEBP'],
    'animated WebP': [animatedWebp, 'WEBP'],
  }
  for (const [name, [bytes, format]] of Object.entries(images))
    test(name, async () => {
      let seed = 1
      const next = (below: number): number => {
        seed = (seed * 1_103_515_245 + 12_345) % 2 ** 31
        return Math.floor((seed / 2 ** 31) * below)
      }
      for (let round = 0; round < 150; round++) {
        let damaged = Buffer.from(bytes)
        for (let change = next(4); change >= 0; change--) {
          const at = 8 + next(bytes.length - 8)
          // A byte of the sizes is often the whole range away from another one.
          damaged[at] = [next(256), 0, 255, 127][next(4)] ?? 0
        }
        if (next(4) === 0) damaged = damaged.subarray(0, 8 + next(bytes.length - 8))
        const began = performance.now()
        const found = await decode(damaged, format)
        const took = performance.now() - began
        assert.ok(took < 1_000, `round ${round} took ${took.toFixed(0)} ms: ${damaged.toString('base64')}`)
        if (!(found instanceof ImageProblem)) assert.equal(found.data.length, found.width * found.height * 4)
      }
    })
})
