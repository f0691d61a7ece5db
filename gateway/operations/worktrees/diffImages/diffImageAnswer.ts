/** Makes the answer of one view of an image from the bytes of its sides. */
import { createHash } from 'node:crypto'
import { basename } from 'node:path/posix'
import {
  type DiffImageContent,
  type DiffImageSide,
  type DiffImageView,
  diffImageSides,
} from '../../../../spec/worktrees/diffImages.ts'
import { imageTypes } from '../../../../spec/worktrees/imageFormat.ts'
import type { Blobs } from '../../../../storage/ports/blobs.ts'
import type { Answer } from '../../../http/route.ts'
import {
  type ComparedImages,
  ComparisonProblem,
  type EncodedImage,
  type ImageComparer,
} from '../../../images/imageComparer.ts'
import type { ImageHeader } from '../../../images/imageHeader.ts'
import type { Limits } from '../../../limits/limits.ts'
import { attachedAs } from '../../core/files/fileName.ts'
import { describeImageProblem, requireChange, requireReadable, requireSide } from './diffImageFailures.ts'
import { type LoadedSide, loadSide } from './loadSide.ts'
import type { DiffImageReading, DiffImageRequest } from './readDiffImage.ts'

export interface DiffImageServices {
  readonly blobs: Pick<Blobs, 'read'>
  readonly comparer: Pick<ImageComparer, 'compare'>
  readonly limits: Pick<Limits, 'diffImageBytes' | 'diffImagePixels'>
}

/** Part of the entity tags, so that caches do not keep what an earlier version has drawn. Increase it when the drawing changes. */
const drawingVersion = 1

/** A browser shows the image, also in a tab of its own, and executes and loads nothing for it. */
const imagePolicy = "sandbox; default-src 'none'; frame-ancestors 'none'"

/**
 * @param ifNoneMatch the entity tags that the caller has
 * @throws Failure NOT_FOUND, UNSUPPORTED_IMAGE, PAYLOAD_TOO_LARGE, UNAVAILABLE
 */
export async function answerDiffImage(
  reading: DiffImageReading,
  request: Pick<DiffImageRequest, 'path' | 'oldPath'>,
  view: DiffImageView,
  ifNoneMatch: string | undefined,
  { blobs, comparer, limits }: DiffImageServices,
): Promise<Answer> {
  const { contents } = reading
  const { diffImageBytes: maxBytes, diffImagePixels: maxPixels } = limits
  requireChange(contents, request)
  const sides: readonly DiffImageSide[] = view === 'before' || view === 'after' ? [view] : diffImageSides
  for (const side of sides) requireReadable(contents[side], side, maxBytes)
  if (view === 'before' || view === 'after') requireSide(contents, view, request)
  const etag = tagOf(
    view,
    sides.map((side) => contents[side]),
  )
  const missing = diffImageSides.find((side) => contents[side].content === 'ABSENT')
  const headers = {
    'cache-control': 'private, no-cache',
    'content-security-policy': imagePolicy,
    etag,
    ...(missing ? { 'x-missing-side': missing } : {}),
  }
  // The checksums are those of the agent, so no bytes are needed until here.
  if (isKnown(etag, ifNoneMatch)) return { status: 304, headers }
  const load = async (side: DiffImageSide) => await loadSide(side, reading, blobs, maxPixels)
  if (view === 'before' || view === 'after') {
    const side = await load(view)
    if (side === undefined) throw new Error(`the ${view} side has no bytes`)
    const name = basename(view === 'before' ? request.oldPath : request.path)
    const described = { ...headers, ...describeSides({ [view]: side.header }) }
    return shown(side.bytes, imageTypes[side.content], name, described)
  }
  // The comparer loads both sides when it begins, so requests that wait, or are refused, take no memory.
  const { png, changedPixels, ...found } = await comparer
    .compare(etag, async () => {
      const [before, after] = [toEncoded(await load('before')), toEncoded(await load('after'))]
      return { view, before, after, maxPixels }
    })
    .catch((error: unknown) => {
      throw error instanceof ComparisonProblem ? describeImageProblem(error, error.side, maxPixels) : error
    })
  const counted = changedPixels === null ? {} : { 'x-changed-pixels': String(changedPixels) }
  const described = { ...headers, ...describeSides(found), ...counted }
  return shown(png, imageTypes.PNG, `${basename(request.path)}.${view}.png`, described)
}

function shown(body: Uint8Array, type: string, name: string, headers: Readonly<Record<string, string>>): Answer {
  const disposition = attachedAs(name).replace(/^attachment/, 'inline')
  return { status: 200, headers: { ...headers, 'content-type': type, 'content-disposition': disposition }, body }
}

function tagOf(view: DiffImageView, contents: readonly DiffImageContent[]): string {
  const sums = contents.map((content) => ('sha256' in content ? content.sha256 : content.content))
  const hash = createHash('sha256').update(JSON.stringify([drawingVersion, ...sums]))
  return `"${view}-${hash.digest('base64url')}"`
}

function isKnown(etag: string, ifNoneMatch: string | undefined): boolean {
  const known = (ifNoneMatch ?? '').split(',').map((tag) => tag.trim().replace(/^W\//, ''))
  return known.includes(etag) || known.includes('*')
}

const toEncoded = (side: LoadedSide | undefined): EncodedImage | undefined =>
  side && { format: side.content, bytes: side.bytes, header: side.header }

function describeSides({
  before,
  after,
}: Partial<Pick<ComparedImages, DiffImageSide>>): Readonly<Record<string, string>> {
  const animated = [before?.isAnimated ? 'before' : [], after?.isAnimated ? 'after' : []].flat()
  return {
    ...(before ? { 'x-before-size': describeSize(before) } : {}),
    ...(after ? { 'x-after-size': describeSize(after) } : {}),
    ...(animated.length > 0 ? { 'x-animated': animated.join(', ') } : {}),
  }
}

/** As a browser shows it. */
function describeSize({ width, height, orientation }: ImageHeader): string {
  return orientation >= 5 ? `${height}x${width}` : `${width}x${height}`
}
