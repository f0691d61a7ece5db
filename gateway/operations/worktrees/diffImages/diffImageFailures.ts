/** The refusals of image comparisons. */
import { Failure } from '../../../../spec/core/failure.ts'
import type { DiffImageContent, DiffImageSide, MissingContent } from '../../../../spec/worktrees/diffImages.ts'
import type { ImageProblem } from '../../../images/imageProblem.ts'
import type { DiffImageReading, DiffImageRequest } from './readDiffImage.ts'

/** @throws Failure NOT_FOUND if neither side has the file, or both have the same bytes */
export function requireChange(
  { before, after }: DiffImageReading['contents'],
  { path, oldPath }: Pick<DiffImageRequest, 'path' | 'oldPath'>,
): void {
  if (before.content === 'ABSENT' && after.content === 'ABSENT')
    throw absent(
      path === oldPath
        ? `Neither side has a file ${path}. Check the path: it begins at the top of the worktree.`
        : `There is no file ${oldPath} before the change and no file ${path} after it. Check both paths.`,
    )
  if (!('sha256' in before) || !('sha256' in after) || before.sha256 !== after.sha256) return
  throw new Failure(
    'NOT_FOUND',
    `The file ${path} did not change: both sides have the same bytes. Give another commit as base.`,
    { details: { reason: 'UNCHANGED' } },
  )
}

/** @throws Failure NOT_FOUND if the only side that was requested has no file */
export function requireSide(
  contents: DiffImageReading['contents'],
  side: DiffImageSide,
  { path, oldPath }: Pick<DiffImageRequest, 'path' | 'oldPath'>,
): void {
  if (contents[side].content !== 'ABSENT') return
  const message =
    side === 'before'
      ? `There is no file ${oldPath} before the change. If the change adds it, use the view “after”.`
      : `There is no file ${path} after the change. If the change deletes it, use the view “before”.`
  throw absent(message, side)
}

function absent(message: string, side?: DiffImageSide): Failure {
  return new Failure('NOT_FOUND', message, { details: { reason: 'ABSENT', ...(side === undefined ? {} : { side }) } })
}

const unreadable: Readonly<Record<Exclude<MissingContent, 'ABSENT' | 'TOO_LARGE'>, string>> = {
  SVG: 'it is an SVG, which is a document that the server does not render. Compare its text in the diff',
  LFS_POINTER:
    'it is in Git LFS, and only its pointer was found. Images in Git LFS are read only from the worktree, after `git lfs pull` there',
  NOT_AN_IMAGE: 'it is not a PNG, JPEG, GIF or WebP',
  SYMLINK: 'it is a symbolic link, or a folder above it is one. Links are not followed',
  NOT_A_FILE: 'it is a folder or a submodule',
}

/**
 * @param limit the maximum size of an image, in bytes
 * @throws Failure UNSUPPORTED_IMAGE, PAYLOAD_TOO_LARGE if the file exists and its bytes were not sent
 */
export function requireReadable(content: DiffImageContent, side: DiffImageSide, limit: number): void {
  if ('sha256' in content || content.content === 'ABSENT') return
  if (content.content !== 'TOO_LARGE') throw unsupported(content.content, side, unreadable[content.content])
  throw new Failure(
    'PAYLOAD_TOO_LARGE',
    `The file ${side} the change has ${content.size ?? 'too many'} bytes. Images of at most ${limit} bytes are compared.`,
    { details: { reason: 'BYTES', limit, side } },
  )
}

/** @param limit the maximum number of pixels of an image */
export function describeImageProblem(
  { reason, message }: ImageProblem,
  side: DiffImageSide | undefined,
  limit: number,
): Failure {
  if (reason !== 'TOO_MANY_PIXELS') return unsupported(reason, side, message)
  const which = side === undefined ? 'One of the images' : `The image ${side} the change`
  return new Failure('PAYLOAD_TOO_LARGE', `${which} is too large: ${message}.`, {
    details: { reason: 'PIXELS', limit, ...(side === undefined ? {} : { side }) },
  })
}

function unsupported(reason: string, side: DiffImageSide | undefined, why: string): Failure {
  const which = side === undefined ? 'One of the images' : `The file ${side} the change`
  return new Failure('UNSUPPORTED_IMAGE', `${which} cannot be shown: ${why}.`, {
    details: { reason, ...(side === undefined ? {} : { side }) },
  })
}
