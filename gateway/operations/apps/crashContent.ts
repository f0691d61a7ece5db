import type * as v from 'valibot'
import type { wholeThreadSchema } from '../../../spec/apps/crashContent.ts'
import { Failure } from '../../../spec/core/failure.ts'
import type { Limits } from '../../../spec/core/limits.ts'
import { distinctImages } from './binaryImages.ts'
import { type PlacedFrame, placeOfCrash } from './groups/crashPlace.ts'
import type { CrashContent, SentContent, StoredImage } from './storedThreads.ts'
import { isSystemImage } from './systemImages.ts'

type Thread = v.InferInput<typeof wholeThreadSchema>

/** The content of a crash report after its check, and the values that are derived from it. */
export interface CheckedContent {
  /** The threads and images as JSON. */
  readonly json: string
  readonly frames: { readonly total: number; readonly named: number; readonly unnamed: number }
  /** The images that have frames without a symbol, except those of the operating system. */
  readonly wanted: readonly { readonly name: string; readonly uuid: string; readonly arch: string }[]
  /** The place of the crash by the names that were sent. */
  readonly place: readonly PlacedFrame[]
}

/**
 * Checks that each frame names one of the images, and that the content is not too large.
 * @throws Failure BAD_USER_INPUT, PAYLOAD_TOO_LARGE
 */
export function checkContent(
  given: SentContent,
  { crashReportExpandedBytes: most }: Pick<Limits, 'crashReportExpandedBytes'>,
): CheckedContent {
  const images = distinctImages(given.images).map(
    (image): StoredImage => (isSystemImage(image) ? { ...image, isSystem: true } : image),
  )
  const byUuid = new Map(images.map((image) => [image.uuid, image]))
  const wanted = new Set<string>()
  const frames = { total: 0, named: 0, unnamed: 0 }
  const threads = given.threads.map((thread, t) => ({
    ...thread,
    frames: thread.frames.map((frame, f) => {
      const own = frame.imageUuid?.toUpperCase()
      const image = own === undefined ? undefined : byUuid.get(own)
      if (own !== undefined && image === undefined) throw unknownImage(`threads.${t}.frames.${f}.imageUuid`)
      frames.total += 1
      if (frame.symbol) frames.named += 1
      else if (own !== undefined && !image?.isSystem) {
        frames.unnamed += 1
        wanted.add(own)
      }
      return own === undefined ? frame : { ...frame, imageUuid: own }
    }),
  }))
  const content: CrashContent = { threads, images }
  const json = JSON.stringify(content)
  const bytes = Buffer.byteLength(json)
  if (bytes > most) {
    const problem = `threads and images have ${bytes} bytes as JSON, but at most ${most} are allowed. Omit frames.`
    throw new Failure('PAYLOAD_TOO_LARGE', problem, { details: { field: 'threads', limit: most } })
  }
  const lacking = images.filter((image) => wanted.has(image.uuid))
  return {
    json,
    frames,
    wanted: lacking.map(({ name, uuid: own, arch }) => ({ name, uuid: own, arch })),
    place: placeOfCrash(content),
  }
}

function unknownImage(field: string): Failure {
  return new Failure('BAD_USER_INPUT', `${field} must be the UUID of one of the images.`, { details: { field } })
}

/** The threads with the names of their frames' images. */
export function describeThreads({ threads, images }: CrashContent): Thread[] {
  const byUuid = new Map(images.map((image) => [image.uuid, image]))
  return threads.map(({ name, crashed, frames }) => ({
    name: name ?? null,
    crashed: crashed === true,
    frames: frames.map((frame) => {
      const image = byUuid.get(frame.imageUuid ?? '')
      return {
        imageUuid: frame.imageUuid ?? null,
        imageName: image?.name ?? null,
        isSystem: image?.isSystem === true,
        address: frame.address,
        symbol: frame.symbol ?? null,
        rawSymbol: frame.rawSymbol ?? null,
        offset: frame.offset ?? null,
        file: frame.file ?? null,
        line: frame.line ?? null,
        column: frame.column ?? null,
        isInlined: frame.isInlined === true,
      }
    }),
  }))
}
