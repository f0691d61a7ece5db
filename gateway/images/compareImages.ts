/** Two images as one: beside each other, or their difference. A missing image is empty. */
import type { Pixels } from './pixels.ts'

/** The pixels between two images that are beside each other. */
const gap = 8

export function putSideBySide(before: Pixels | undefined, after: Pixels | undefined): Pixels {
  const [left, right] = [before ?? emptyLike(after), after ?? emptyLike(before)]
  const width = left.width + gap + right.width
  const height = Math.max(left.height, right.height)
  const data = new Uint8Array(width * height * 4)
  const put = (image: Pixels, x: number): void => {
    for (let y = 0; y < image.height; y++) {
      const line = y * image.width * 4
      data.set(image.data.subarray(line, line + image.width * 4), (y * width + x) * 4)
    }
  }
  put(left, 0)
  put(right, left.width + gap)
  return { width, height, data }
}

/** A transparent image of the same size. */
function emptyLike(other: Pixels | undefined): Pixels {
  const { width = 1, height = 1 } = other ?? {}
  return { width, height, data: new Uint8Array(width * height * 4) }
}

export interface Difference {
  readonly image: Pixels
  /** The number of pixels that differ, with those that only one image has. */
  readonly changed: number
}

const white = 255
/** How much of an unchanged pixel is shown on white. */
const faint = 0.15
/** The smallest change of a channel is shown with this strength, so that it can be seen. */
const least = 0.4
const red = [214, 0, 74] as const

/** Compares the pixels at the same place, from the upper left. */
export function drawDifference(before: Pixels | undefined, after: Pixels | undefined): Difference {
  const width = Math.max(before?.width ?? 0, after?.width ?? 0)
  const height = Math.max(before?.height ?? 0, after?.height ?? 0)
  const data = new Uint8Array(width * height * 4)
  let changed = 0
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++) {
      const [a, b] = [offsetOf(before, x, y), offsetOf(after, x, y)]
      const strength = compare(before, a, after, b)
      const gray = a === undefined && b === undefined ? white : faintGray(b === undefined ? before : after, b ?? a)
      const isSame = strength === 0
      if (!isSame) changed += 1
      const shown = isSame ? 0 : least + (1 - least) * strength
      const at = (y * width + x) * 4
      for (const [channel, value] of red.entries()) data[at + channel] = gray + (value - gray) * shown
      data[at + 3] = 255
    }
  return { image: { width, height, data }, changed }
}

/** Undefined outside of the image. */
function offsetOf(image: Pixels | undefined, x: number, y: number): number | undefined {
  return image !== undefined && x < image.width && y < image.height ? (y * image.width + x) * 4 : undefined
}

/** 0: the same. 1: as different as possible, or only one image has the pixel. */
function compare(
  before: Pixels | undefined,
  a: number | undefined,
  after: Pixels | undefined,
  b: number | undefined,
): number {
  if (a === undefined && b === undefined) return 0
  if (before === undefined || after === undefined || a === undefined || b === undefined) return 1
  const [one, other] = [before.data, after.data]
  const [alpha, otherAlpha] = [one[a + 3] ?? 0, other[b + 3] ?? 0]
  // The color of a transparent pixel cannot be seen.
  if (alpha === 0 && otherAlpha === 0) return 0
  let most = Math.abs(alpha - otherAlpha)
  for (let channel = 0; channel < 3; channel++)
    most = Math.max(most, Math.abs((one[a + channel] ?? 0) - (other[b + channel] ?? 0)))
  return most / 255
}

function faintGray(image: Pixels | undefined, at: number | undefined): number {
  if (image === undefined || at === undefined) return white
  const [r = 0, g = 0, b = 0, alpha = 0] = image.data.subarray(at, at + 4)
  const light = 0.299 * r + 0.587 * g + 0.114 * b
  return white - ((white - light) * alpha * faint) / 255
}
