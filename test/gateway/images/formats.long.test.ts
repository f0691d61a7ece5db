/** ImageMagick writes images of every kind that people commit, and decodes them too: the decoders must return the same pixels. */
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { promisify } from 'node:util'
import { decodeImage } from '../../../gateway/images/decode/decodeImage.ts'
import { isImageFormat, recognizeImage } from '../../../spec/worktrees/imageFormat.ts'
import { orientJpeg } from '../../kit/program/objects/images.ts'

const run = promisify(execFile)
const maxPixels = 1_000_000

interface Kind {
  readonly extension: 'png' | 'jpg' | 'gif' | 'webp'
  /** The options of ImageMagick between the input and the file. */
  readonly options: string
  readonly input?: 'opaque' | 'transparent' | 'frames'
  /** The largest difference of a channel, 0 to 255, on average over all pixels. JPEG decoders smooth colors in different ways. */
  readonly meanError?: number
  /** The same of each single channel. */
  readonly mostError?: number
}

const png = (options: string, input: Kind['input'] = 'opaque'): Kind => ({ extension: 'png', options, input })
const jpeg = (options: string, meanError = 1.5): Kind => ({ extension: 'jpg', options, meanError, mostError: 255 })
const gif = (options: string, input: Kind['input'] = 'opaque'): Kind => ({ extension: 'gif', options, input })
const webp = (options: string, input: Kind['input'] = 'opaque'): Kind => ({ extension: 'webp', options, input })

const kinds: Readonly<Record<string, Kind>> = {
  ...Object.fromEntries(
    [1, 2, 4, 8, 16].map((bits) => [
      `PNG, gray, ${bits} bit`,
      png(`-colorspace gray -define png:color-type=0 -define png:bit-depth=${bits}`),
    ]),
  ),
  ...Object.fromEntries(
    [1, 2, 4, 8].map((bits) => [
      `PNG, palette of ${bits} bit`,
      png(`-colors ${2 ** bits} -define png:color-type=3 -define png:bit-depth=${bits}`),
    ]),
  ),
  ...Object.fromEntries(
    [8, 16].flatMap((bits) => [
      [`PNG, colors, ${bits} bit`, png(`-define png:color-type=2 -define png:bit-depth=${bits}`)],
      [
        `PNG, gray with alpha, ${bits} bit`,
        png(`-colorspace gray -define png:color-type=4 -define png:bit-depth=${bits}`, 'transparent'),
      ],
      [
        `PNG, colors with alpha, ${bits} bit`,
        png(`-define png:color-type=6 -define png:bit-depth=${bits}`, 'transparent'),
      ],
      [
        `PNG, interlaced, ${bits} bit`,
        png(`-interlace PNG -define png:color-type=6 -define png:bit-depth=${bits}`, 'transparent'),
      ],
    ]),
  ),
  'PNG, palette with transparent entries': png('-colors 64 -define png:color-type=3', 'transparent'),
  'PNG, interlaced palette': png('-interlace PNG -colors 16 -define png:color-type=3'),
  'JPEG, baseline': jpeg('-sampling-factor 4:4:4 -quality 95'),
  'JPEG, progressive': jpeg('-interlace JPEG -sampling-factor 4:4:4 -quality 90'),
  'JPEG, a quarter of the colors': jpeg('-sampling-factor 4:2:0 -quality 90', 4),
  'JPEG, half of the colors': jpeg('-sampling-factor 4:2:2 -quality 90', 4),
  'JPEG, gray': jpeg('-colorspace gray'),
  'JPEG, low quality': jpeg('-sampling-factor 4:4:4 -quality 15'),
  'GIF, interlaced': gif('-interlace GIF'),
  'GIF, transparent': gif('', 'transparent'),
  'GIF, an animation of parts': gif('-layers optimize', 'frames'),
  'WebP, lossy': webp('-quality 60'),
  'WebP, lossy with alpha': webp('-quality 60', 'transparent'),
  'WebP, lossless': webp('-define webp:lossless=true'),
  'WebP, lossless with alpha': webp('-define webp:lossless=true', 'transparent'),
  'WebP, a lossy animation': webp('-quality 60', 'frames'),
  'WebP, a lossless animation': webp('-define webp:lossless=true', 'frames'),
}

let folder: string
before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'signalbox-images-'))
  const plasma = ['-size', '61x37', '-seed', '7', 'plasma:red-blue']
  await run('convert', [...plasma, '-depth', '16', join(folder, 'opaque.miff')])
  const mask = ['-size', '61x37', 'gradient:white-black']
  await run('convert', [
    ...plasma,
    '(',
    ...mask,
    ')',
    ...'-alpha off -compose CopyOpacity -composite'.split(' '),
    join(folder, 'transparent.miff'),
  ])
  const frames = ['(', '+clone', '-fill', 'white', '-draw', 'rectangle 5,6 20,30', ')']
  await run('convert', ['-delay', '10', ...plasma, ...frames, join(folder, 'frames.miff')])
})
after(() => rm(folder, { recursive: true, force: true }))

/** The first frame as ImageMagick decodes it, 8 bits a channel. */
async function decodeByImageMagick(file: string): Promise<{ width: number; height: number; data: Buffer }> {
  const options = ['-auto-orient', '-colorspace', 'sRGB', '-depth', '8']
  const text = await run('convert', [`${file}[0]`, ...options, '-format', '%w %h', 'info:'])
  const [width = 0, height = 0] = text.stdout.split(' ').map(Number)
  const { stdout } = await run('convert', [`${file}[0]`, ...options, 'rgba:-'], {
    encoding: 'buffer',
    maxBuffer: 2 ** 24,
  })
  return { width, height, data: stdout }
}

async function requireSamePixels(file: string, { meanError = 1, mostError = 1 }: Partial<Kind> = {}): Promise<void> {
  const bytes = await readFile(file)
  const format = recognizeImage(bytes)
  assert.ok(isImageFormat(format), `the file is recognized as ${format}`)
  const [ours, expected] = [await decodeImage(bytes, format, maxPixels), await decodeByImageMagick(file)]
  assert.deepEqual([ours.width, ours.height], [expected.width, expected.height])
  let [sum, most] = [0, 0]
  for (let at = 0; at < expected.data.length; at++) {
    // The color of a transparent pixel cannot be seen.
    if (at % 4 < 3 && expected.data[at - (at % 4) + 3] === 0 && ours.data[at - (at % 4) + 3] === 0) continue
    const difference = Math.abs((ours.data[at] ?? 0) - (expected.data[at] ?? 0))
    sum += difference
    most = Math.max(most, difference)
  }
  const mean = sum / expected.data.length
  assert.ok(mean <= meanError && most <= mostError, `on average ${mean.toFixed(2)}, at most ${most}`)
}

describe('an image is decoded as ImageMagick decodes it', () => {
  for (const [name, kind] of Object.entries(kinds))
    test(name, async () => {
      const file = join(folder, `${name.replaceAll(/\W+/gu, '-')}.${kind.extension}`)
      await run('convert', [
        join(folder, `${kind.input ?? 'opaque'}.miff`),
        ...kind.options.split(' ').filter(Boolean),
        file,
      ])
      await requireSamePixels(file, kind)
    })

  for (const orientation of [1, 2, 3, 4, 5, 6, 7, 8])
    test(`JPEG with the EXIF orientation ${orientation}`, async () => {
      const file = join(folder, `oriented-${orientation}.jpg`)
      await run('convert', [join(folder, 'opaque.miff'), '-sampling-factor', '4:4:4', '-quality', '95', file])
      await writeFile(file, orientJpeg(await readFile(file), orientation))
      await requireSamePixels(file, jpeg(''))
    })
})
