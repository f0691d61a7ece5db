/** The two versions of an image file, as the agent reads them: in a commit, and in another commit or in the worktree. */
import type { ImageFormat, OtherContent } from './imageFormat.ts'

/** `side`: both versions, one beside the other. */
export const diffImageViews = ['before', 'after', 'side', 'difference'] as const
export type DiffImageView = (typeof diffImageViews)[number]

export const diffImageSides = ['before', 'after'] as const
export type DiffImageSide = (typeof diffImageSides)[number]

/** The reason why the bytes of a version were not sent. ABSENT: there is no such file. */
export type MissingContent = OtherContent | 'ABSENT' | 'SYMLINK' | 'NOT_A_FILE' | 'TOO_LARGE'

/** One version, as the agent found it. `size` is in bytes, and null if it is not known. The bytes of an image are stored as a blob. */
export type DiffImageContent =
  | { readonly content: ImageFormat; readonly size: number; readonly sha256: string }
  | { readonly content: MissingContent; readonly size: number | null }

/** The result of a job that reads an image. */
export type DiffImageContents = Readonly<Record<DiffImageSide, DiffImageContent>>

/** The name of the blob with the bytes of a side. */
export const diffImageBlob = (side: DiffImageSide, diffImageId: string): string => `diff-image-${side}/${diffImageId}`

/** The bytes are kept this long for the requests that share them, ms. */
export const diffImageKeptMs = 60_000
/** The agent has this long to read both sides and to send their bytes, ms. */
export const diffImageReadingMs = 30_000
