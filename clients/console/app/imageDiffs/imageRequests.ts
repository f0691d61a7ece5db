/** Requests the comparison of an image, and reads what the server reports about it. */
import type { DiffImageView } from '../../../../spec/worktrees/diffImages.ts'
import { transferFile } from '../data/requestRest.ts'

/** An image that changed. */
export interface ChangedImage {
  readonly worktreeId: string
  readonly path: string
  /** Null unless the file was renamed. */
  readonly oldPath: string | null
  readonly status: 'ADDED' | 'MODIFIED' | 'DELETED' | 'RENAMED'
  /** The commit before the change. */
  readonly base: string
}

export interface ImageFacts {
  readonly before: ImageSize | undefined
  readonly after: ImageSize | undefined
  readonly changedPixels: number
  readonly isAnimated: boolean
}

interface ImageSize {
  readonly width: number
  readonly height: number
}

/** @param head a commit. Undefined: the worktree as it is now */
export function getImagePath(image: ChangedImage, view: DiffImageView, head: string | undefined): string {
  const { worktreeId, path, oldPath, base } = image
  const query = new URLSearchParams({ path, base, view, ...(oldPath && { oldPath }), ...(head && { head }) })
  return `/api/worktrees/${worktreeId}/diff-image?${query}`
}

/** @throws ApiError */
export async function readImageFacts(image: ChangedImage, head: string | undefined): Promise<ImageFacts> {
  const { headers } = await transferFile(getImagePath(image, 'difference', head), {}, 'DISCONNECTED')
  return {
    before: parseSize(headers.get('x-before-size')),
    after: parseSize(headers.get('x-after-size')),
    changedPixels: Number(headers.get('x-changed-pixels')),
    isAnimated: headers.has('x-animated'),
  }
}

function parseSize(text: string | null): ImageSize | undefined {
  const [, width, height] = /^(\d+)x(\d+)$/.exec(text ?? '') ?? []
  return width === undefined ? undefined : { width: Number(width), height: Number(height) }
}
