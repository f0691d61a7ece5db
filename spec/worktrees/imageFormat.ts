/** Recognizes the formats of images by their first bytes. The name of a file can be wrong. */

/** The images that can be compared, with their media types. */
export const imageTypes = {
  PNG: 'image/png',
  JPEG: 'image/jpeg',
  GIF: 'image/gif',
  WEBP: 'image/webp',
} as const

export type ImageFormat = keyof typeof imageTypes

/** The content of a file that is not an image which can be compared. LFS_POINTER: the image is in Git LFS, and git has its address. */
export type OtherContent = 'SVG' | 'LFS_POINTER' | 'NOT_AN_IMAGE'

/** The number of bytes that `recognizeImage` needs. */
export const recognizedBytes = 1024

const lfsPointer = 'version https://git-lfs.github.com/spec/'

/** @param bytes the beginning of a file */
export function recognizeImage(bytes: Uint8Array): ImageFormat | OtherContent {
  const text = String.fromCharCode(...bytes.subarray(0, recognizedBytes))
  if (text.startsWith('\x89PNG\r\n\x1a\n')) return 'PNG'
  if (text.startsWith('\xff\xd8\xff')) return 'JPEG'
  if (text.startsWith('GIF87a') || text.startsWith('GIF89a')) return 'GIF'
  if (text.startsWith('RIFF') && text.slice(8, 12) === 'WEBP') return 'WEBP'
  if (text.startsWith(lfsPointer)) return 'LFS_POINTER'
  return /^(?:\xef\xbb\xbf)?\s*<(?:svg[\s>]|[?!][\s\S]*<svg[\s>])/i.test(text) ? 'SVG' : 'NOT_AN_IMAGE'
}

export function isImageFormat(content: string): content is ImageFormat {
  return Object.hasOwn(imageTypes, content)
}

/** Whether a file is probably an image that can be compared. Its content decides. */
export function hasImageName(path: string): boolean {
  return /\.(?:png|apng|jpe?g|gif|webp)$/i.test(path)
}
