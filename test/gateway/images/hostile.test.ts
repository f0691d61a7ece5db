/** Images that were made to cost much, or that lie about themselves. */
import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { before, describe, mock, test } from 'node:test'
import { decodeImage } from '../../../gateway/images/decode/decodeImage.ts'
import { ImageComparer } from '../../../gateway/images/imageComparer.ts'
import { ImageProblem } from '../../../gateway/images/imageProblem.ts'
import type { Pixels } from '../../../gateway/images/pixels.ts'
import { answerDiffImage } from '../../../gateway/operations/worktrees/diffImages/diffImageAnswer.ts'
import { Failure } from '../../../spec/core/failure.ts'
import { type DiffImageContent, diffImageBlob, diffImageSides } from '../../../spec/worktrees/diffImages.ts'
import type { ImageFormat } from '../../../spec/worktrees/imageFormat.ts'
import {
  animatedGif,
  animatedWebp,
  blue,
  blueWebp,
  declarePng,
  gif,
  makePng,
  orientJpeg,
  red,
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

describe('an image that declares more pixels than the limit is refused before it is decoded', () => {
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

/** The problem of an image that takes almost no memory although it has a part which declares much. */
async function requireProblem(bytes: Buffer, format: ImageFormat): Promise<ImageProblem> {
  const former = process.resourceUsage().maxRSS
  const problem = await decode(bytes, format)
  assert.ok(problem instanceof ImageProblem, 'it was decoded')
  const grownMib = (process.resourceUsage().maxRSS - former) / 1024
  assert.ok(grownMib < 100, `${grownMib.toFixed(0)} MiB more`)
  return problem
}

test('a WebP animation with a frame that is larger than declared is refused and takes no memory', async () => {
  const bomb = enlargeWebp(animatedWebp, 16_383, 16_383)
  await decode(animatedWebp, 'WEBP')
  const { reason, message } = await requireProblem(bomb, 'WEBP')
  assert.equal(reason, 'DAMAGED')
  assert.equal(message, 'its first frame declares 8x4 pixels and has 16383x16383')
})

describe('a PNG with two headers is refused before its data is inflated', () => {
  // The signature has 8 bytes, and the chunk of the header 25.
  const headerEnd = 33
  const first = declarePng(8, 8, Buffer.alloc(8 * 33))
  const large = declarePng(1_500, 1_500, Buffer.alloc(1_500 * 6_001))
  const cases: Readonly<Record<string, Buffer>> = {
    'the second one is larger': Buffer.concat([first.subarray(0, headerEnd), large.subarray(8)]),
    'the second one is after the data': Buffer.concat([
      ...[first.subarray(0, headerEnd), large.subarray(headerEnd, -12)],
      ...[large.subarray(8, headerEnd), large.subarray(-12)],
    ]),
    'the second one is interlaced, so the data has no bound': Buffer.concat([
      ...[first.subarray(0, headerEnd), declarePng(8, 8, Buffer.alloc(10_000_000), true).subarray(8)],
    ]),
    'both are the same': Buffer.concat([first.subarray(0, headerEnd), first.subarray(8)]),
  }
  for (const [name, bytes] of Object.entries(cases))
    test(name, async () => {
      const { reason, message } = await requireProblem(bytes, 'PNG')
      assert.deepEqual([reason, message], ['DAMAGED', 'it has two IHDR chunks'])
    })
})

describe('a PNG whose chunks have wrong lengths is refused', () => {
  const png = declarePng(8, 8, Buffer.alloc(8 * 33))
  for (const [name, at] of Object.entries({ header: 8, data: 33 }))
    for (const length of [0, 12, 14, 0x7fffffff, 0xffffffff])
      test(`${name}: ${length}`, async () => {
        const copy = Buffer.from(png)
        copy.writeUInt32BE(length, at)
        assert.equal((await requireProblem(copy, 'PNG')).reason, 'DAMAGED')
      })
})

function chunkOfWebp(name: string, content: Buffer): Buffer {
  const head = Buffer.from(`${name}\0\0\0\0`, 'latin1')
  head.writeUInt32LE(content.length, 4)
  return Buffer.concat([head, content, Buffer.alloc(content.length % 2)])
}

function webpOf(...chunks: readonly Buffer[]): Buffer {
  return chunkOfWebp('RIFF', Buffer.concat([Buffer.from('WEBP', 'latin1'), ...chunks]))
}

describe('the size of a WebP is that of its decoded image, wherever it declares another size', () => {
  const red8x4 = redWebp.subarray(12)
  const huge = enlargeWebp(redWebp, 4_000, 4_000).subarray(12)
  const declare8x4 = chunkOfWebp('VP8X', Buffer.from([0, 0, 0, 0, 7, 0, 0, 3, 0, 0]))
  const cases: Readonly<Record<string, readonly [Buffer, string, string]>> = {
    'a huge image, and then a small size': [
      webpOf(huge, declare8x4),
      ...(['TOO_MANY_PIXELS', 'it has 4000x4000 pixels, and at most 1000000 are decoded'] as const),
    ],
    'a small size, and then a huge image': [
      webpOf(declare8x4, huge),
      ...(['DAMAGED', 'it declares 8x4 pixels and has 4000x4000'] as const),
    ],
    'a small size, a huge image and a small one': [
      webpOf(declare8x4, huge, red8x4),
      ...(['DAMAGED', 'it declares 8x4 pixels and has 4000x4000'] as const),
    ],
    // The decoder takes an unknown chunk at the beginning as an image without a chunk.
    'another chunk before the image': [
      webpOf(chunkOfWebp('/abc', Buffer.alloc(2)), red8x4),
      ...(['DAMAGED', 'its first chunk is neither VP8X nor an image'] as const),
    ],
    'an image that is cut off': [
      webpOf(declare8x4, red8x4).subarray(0, -4),
      ...(['DAMAGED', 'its image ends too early'] as const),
    ],
  }
  for (const [name, [bytes, expectedReason, expectedMessage]] of Object.entries(cases))
    test(name, async () => {
      const { reason, message } = await requireProblem(bytes, 'WEBP')
      assert.deepEqual([reason, message], [expectedReason, expectedMessage])
    })

  test('a second image that is huge is not decoded', async () => {
    const found = await decode(webpOf(declare8x4, red8x4, huge), 'WEBP')
    assert.ok(!(found instanceof ImageProblem), String(found))
    assert.deepEqual([found.width, found.height, ...found.data.subarray(0, 4)], [8, 4, 255, 0, 0, 255])
  })

  test('the transparency before the image is decoded', async () => {
    const found = await decode(blueWebp, 'WEBP')
    assert.ok(!(found instanceof ImageProblem), String(found))
    assert.equal(found.data[3], 128)
  })
})

/** A frame header of a JPEG, with so many components. */
function frameOfJpeg(width: number, height: number, components: number): Buffer {
  const frame = Buffer.alloc(10 + 3 * components)
  frame.writeUInt16BE(0xffc0, 0)
  frame.writeUInt16BE(frame.length - 2, 2)
  frame.writeUInt8(8, 4)
  frame.writeUInt16BE(height, 5)
  frame.writeUInt16BE(width, 7)
  frame.writeUInt8(components, 9)
  for (let index = 0; index < components; index++) frame.set([index, 0x11, 0], 10 + 3 * index)
  return frame
}

describe('the frames of a JPEG take no more memory than its first frame needs', () => {
  const cases: Readonly<Record<string, readonly Buffer[]>> = {
    'a second frame that is larger': [frameOfJpeg(8, 4, 3), frameOfJpeg(1_000, 1_000, 255)],
    'a frame with 255 components': [frameOfJpeg(600, 600, 255)],
    'many frames': Array.from({ length: 200 }, () => frameOfJpeg(500, 500, 3)),
  }
  for (const [name, frames] of Object.entries(cases))
    test(name, async () => {
      const bytes = Buffer.concat([Buffer.from([0xff, 0xd8]), ...frames, Buffer.from([0xff, 0xd9])])
      const { reason, message } = await requireProblem(bytes, 'JPEG')
      assert.equal(reason, 'DAMAGED')
      assert.match(message, /^max(ResolutionInMP|MemoryUsageInMB) limit exceeded/)
    })
})

describe('a frame of a GIF that is larger than the image is refused', () => {
  const huge = Buffer.from([0x2c, 0, 0, 0, 0, 0x60, 0xea, 0x60, 0xea, 0, 2, 0])
  const head = gif.subarray(0, 13 + 6)
  const end = Buffer.from([0x3b])
  const cases: Readonly<Record<string, readonly [Buffer, string]>> = {
    'its first frame': [Buffer.concat([head, huge, end]), 'a frame is larger than the image'],
    // The decoder skips a fixed number of bytes of an extension whose length is unusual.
    'a frame in an extension, which only the decoder finds': [
      Buffer.concat([
        ...[head, Buffer.from([0x21, 0xff, 0x20]), Buffer.alloc(16), huge, end, Buffer.alloc(3)],
        ...[Buffer.from([0]), gif.subarray(head.length)],
      ]),
      'its first frame is not inside of the image',
    ],
  }
  for (const [name, [bytes, expected]] of Object.entries(cases))
    test(name, async () => {
      const { reason, message } = await requireProblem(bytes, 'GIF')
      assert.deepEqual([reason, message], ['DAMAGED', expected])
    })
})

describe('the bytes of a comparison are loaded only when it begins', () => {
  const images = { before: makePng(8, 4, () => red), after: makePng(8, 4, (x) => (x < 2 ? blue : red)) }
  const contentOf = (bytes: Buffer): DiffImageContent => ({
    content: 'PNG',
    size: bytes.length,
    sha256: createHash('sha256').update(bytes).digest('hex'),
  })
  const reading = {
    id: 'di_1',
    contents: { before: contentOf(images.before), after: contentOf(images.after) },
  }
  const answer = async (comparer: ImageComparer, loaded: string[], ifNoneMatch?: string) =>
    await answerDiffImage(reading, { path: 'a.png', oldPath: 'a.png' }, 'difference', ifNoneMatch, {
      blobs: {
        async *read(name) {
          loaded.push(name)
          yield images[diffImageSides.find((side) => diffImageBlob(side, 'di_1') === name) ?? 'before']
        },
      },
      comparer,
      limits: { diffImageBytes: 1_000_000, diffImagePixels: 1_000_000 },
    })

  test('no bytes are loaded if too many comparisons wait', async () => {
    const loaded: string[] = []
    const refused = answer(new ImageComparer({ waiting: 0 }), loaded)
    await assert.rejects(refused, (error) => error instanceof Failure && error.code === 'UNAVAILABLE')
    assert.deepEqual(loaded, [])
  })

  test('a cached result has the same headers without loading the bytes', async () => {
    const loaded: string[] = []
    const comparer = new ImageComparer()
    const one = await answer(comparer, loaded)
    assert.equal(one.headers?.['x-before-size'], '8x4')
    assert.equal(one.headers?.['x-after-size'], '8x4')
    assert.equal(one.headers?.['x-changed-pixels'], '8')
    assert.equal(loaded.length, 2)
    assert.deepEqual(await answer(comparer, loaded), one)
    const { status } = await answer(new ImageComparer(), loaded, String(one.headers?.etag))
    assert.equal(status, 304)
    assert.equal(loaded.length, 2)
  })
})

describe('a damaged image is decoded in part or refused within a second', () => {
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
