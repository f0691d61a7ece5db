/** An image of a worktree before and after its change, as the agent of the worktree reads it. */
import type { ImageFormat, OtherContent } from './imageFormat.ts'

export const diffImageViews = ['before', 'after', 'side', 'difference'] as const
export type DiffImageView = (typeof diffImageViews)[number]

export const diffImageSides = ['before', 'after'] as const
export type DiffImageSide = (typeof diffImageSides)[number]

/** The reason for which the bytes of a side were not sent. ABSENT: there is no such file. */
export type MissingContent = OtherContent | 'ABSENT' | 'SYMLINK' | 'NOT_A_FILE' | 'TOO_LARGE'

/** One side, as the agent found it. An image has its bytes on the server; `sha256` is hexadecimal. */
export type DiffImageContent =
  | { readonly content: ImageFormat; readonly size: number; readonly sha256: string }
  | { readonly content: MissingContent; readonly size: number | null }

/** The result of a job that reads an image. */
export type DiffImageContents = Readonly<Record<DiffImageSide, DiffImageContent>>

/** The name of the blob with the bytes of a side. */
export const diffImageBlob = (side: DiffImageSide, diffImageId: string): string => `diff-image-${side}/${diffImageId}`

/** The bytes are kept this long for the request that has asked for them, ms. */
export const diffImageKeptMs = 60_000
/** The agent has this long to read both sides and to send their bytes, ms. */
export const diffImageReadingMs = 30_000
