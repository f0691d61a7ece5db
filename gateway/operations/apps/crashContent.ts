import { text } from 'node:stream/consumers'
import type * as v from 'valibot'
import type { contentInput, wholeThreadSchema } from '../../../spec/apps/crashContent.ts'
import { Failure } from '../../../spec/core/failure.ts'
import type { Limits } from '../../../spec/core/limits.ts'
import type { RequestContext } from '../requestContext.ts'
import { distinctImages } from './binaryImages.ts'

const pieceBytes = 512 * 1024
export type CrashContent = v.InferOutput<ReturnType<typeof v.object<typeof contentInput, undefined>>>
type Thread = v.InferInput<typeof wholeThreadSchema>

/** The values of the report that are derived from its content. */
export interface Judged {
  /** The threads and images. */
  readonly json: string
  readonly frames: { readonly total: number; readonly named: number; readonly unnamed: number }
  /** The images of frames without a symbol. */
  readonly wanted: readonly { readonly name: string; readonly uuid: string; readonly arch: string }[]
}

/** @throws Failure BAD_USER_INPUT, PAYLOAD_TOO_LARGE */
export function judge(
  given: CrashContent,
  { crashReportExpandedBytes: most }: Pick<Limits, 'crashReportExpandedBytes'>,
): Judged {
  const images = distinctImages(given.images)
  const byUuid = new Map(images.map((image) => [image.uuid, image]))
  const wanted = new Set<string>()
  const frames = { total: 0, named: 0, unnamed: 0 }
  const threads = given.threads.map((thread, t) => ({
    ...thread,
    frames: thread.frames.map((frame, f) => {
      const own = frame.imageUuid?.toUpperCase()
      if (own !== undefined && !byUuid.has(own)) throw unknownImage(`threads.${t}.frames.${f}.imageUuid`)
      frames.total += 1
      if (frame.symbol) frames.named += 1
      else if (own !== undefined) {
        frames.unnamed += 1
        wanted.add(own)
      }
      return own === undefined ? frame : { ...frame, imageUuid: own }
    }),
  }))
  const content = { threads, images }
  const json = JSON.stringify(content)
  const bytes = Buffer.byteLength(json)
  if (bytes > most) {
    const problem = `threads and images have ${bytes} bytes as JSON, but at most ${most} are allowed. Omit frames.`
    throw new Failure('PAYLOAD_TOO_LARGE', problem, { details: { field: 'threads', limit: most } })
  }
  const lacking = images.filter((image) => wanted.has(image.uuid))
  return { json, frames, wanted: lacking.map(({ name, uuid: own, arch }) => ({ name, uuid: own, arch })) }
}

function unknownImage(field: string): Failure {
  return new Failure('BAD_USER_INPUT', `${field} must be the UUID of one of the images.`, { details: { field } })
}

/** Stores the content durably before its report is created. */
export async function keepContent(
  crashId: string,
  json: string,
  context: RequestContext<'contentStore'>,
): Promise<void> {
  const bytes = new TextEncoder().encode(json)
  for (let number = 0; number * pieceBytes < bytes.length; number++) {
    await context.contentStore.keep(crashId, number, bytes.subarray(number * pieceBytes, (number + 1) * pieceBytes))
  }
}

/** The threads with the names of their frames' images. */
export async function threadsOf(crashId: string, { contents }: Pick<RequestContext, 'contents'>): Promise<Thread[]> {
  const { threads, images } = JSON.parse(await text(contents.read(crashId))) as CrashContent
  const names = new Map(images.map((image) => [image.uuid, image.name]))
  return threads.map(({ name, crashed, frames }) => ({
    name: name ?? null,
    crashed: crashed === true,
    frames: frames.map((frame) => ({
      imageUuid: frame.imageUuid ?? null,
      imageName: names.get(frame.imageUuid ?? '') ?? null,
      address: frame.address,
      symbol: frame.symbol ?? null,
      file: frame.file ?? null,
      line: frame.line ?? null,
    })),
  }))
}
