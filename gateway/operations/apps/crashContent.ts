import { Failure } from '../../../spec/core/failure.ts'
import type { Limits } from '../../../spec/core/limits.ts'
import { type BinaryImage, distinctImages } from './binaryImages.ts'
import { type PlacedFrame, placeOfCrash } from './groups/crashPlace.ts'
import { isSystemImage } from './systemImages.ts'
import { encodeThreads } from './threads/encodeThreads.ts'
import type { CrashContent, SentContent, StoredImage } from './threads/storedThreads.ts'

/** The content of a crash report after its check, and the values that are derived from it. */
export interface CheckedContent {
  /** The threads and images as JSON, by which a repeat is recognized. */
  readonly json: Uint8Array
  /** The threads and images as they are stored (`encodeThreads`). */
  readonly file: Uint8Array
  readonly frames: { readonly total: number; readonly named: number; readonly unnamed: number }
  /** The images that have frames without a symbol or a file, except those of the operating system. */
  readonly wanted: readonly (BinaryImage & {
    /** All its frames have a symbol. */
    readonly onlyLines?: true
  })[]
  /** The place of the crash by the names that were sent. */
  readonly place: readonly PlacedFrame[]
}

/**
 * Checks that each frame names one of the images, and that the content is not too large.
 * @throws Failure BAD_USER_INPUT, PAYLOAD_TOO_LARGE
 */
export async function checkContent(
  given: SentContent,
  { crashReportExpandedBytes: most }: Pick<Limits, 'crashReportExpandedBytes'>,
): Promise<CheckedContent> {
  const images = distinctImages(given.images).map(
    (image): StoredImage => (isSystemImage(image) ? { ...image, isSystem: true } : image),
  )
  const byUuid = new Map(images.map((image) => [image.uuid, image]))
  const [unnamed, withoutFile] = [new Set<string>(), new Set<string>()]
  const frames = { total: 0, named: 0, unnamed: 0 }
  const threads = given.threads.map((thread, t) => ({
    ...thread,
    frames: thread.frames.map((frame, f) => {
      const own = frame.imageUuid?.toUpperCase()
      const image = own === undefined ? undefined : byUuid.get(own)
      if (own !== undefined && image === undefined) throw unknownImage(`threads.${t}.frames.${f}.imageUuid`)
      const wants = own !== undefined && !image?.isSystem
      frames.total += 1
      if (frame.symbol) frames.named += 1
      else if (wants) frames.unnamed += 1
      if (wants && !frame.symbol) unnamed.add(own)
      else if (wants && !frame.file) withoutFile.add(own)
      return own === undefined ? frame : { ...frame, imageUuid: own }
    }),
  }))
  const content: CrashContent = { threads, images }
  const json = new TextEncoder().encode(JSON.stringify(content))
  if (json.length > most) {
    const problem = `threads and images have ${json.length} bytes as JSON, but at most ${most} are allowed. Omit frames.`
    throw new Failure('PAYLOAD_TOO_LARGE', problem, { details: { field: 'threads', limit: most } })
  }
  const wanted = images.flatMap(({ name, uuid, arch }) => {
    if (unnamed.has(uuid)) return [{ name, uuid, arch }]
    return withoutFile.has(uuid) ? [{ name, uuid, arch, onlyLines: true as const }] : []
  })
  return {
    json,
    // The copy has a buffer of its own, so a thread posts only these bytes.
    file: new Uint8Array(await encodeThreads(content)),
    frames,
    wanted,
    place: placeOfCrash(content),
  }
}

function unknownImage(field: string): Failure {
  return new Failure('BAD_USER_INPUT', `${field} must be the UUID of one of the images.`, { details: { field } })
}
