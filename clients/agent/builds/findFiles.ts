/** Finds the files of a checkout that match patterns, and measures them. */
import { createHash } from 'node:crypto'
import { constants, createReadStream } from 'node:fs'
import { type FileHandle, open, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { matchesPattern, mayMatchBelow } from '../../../spec/builds/filePattern.ts'

export interface FoundFile {
  /** In the checkout, with `/`. */
  readonly path: string
  /** Bytes. */
  readonly size: number
  /** Hexadecimal. */
  readonly sha256: string
}

/**
 * Links are not followed, and only plain files are found.
 * @param refuse makes the error that is thrown if more than `most` files match
 * @returns the paths in a fixed order, without their content
 */
export async function findFiles(
  checkout: string,
  patterns: readonly string[],
  most: number,
  refuse: () => Error,
): Promise<readonly string[]> {
  const found: string[] = []
  const search = async (folder: string): Promise<void> => {
    const entries = await readdir(join(checkout, folder), { withFileTypes: true })
    for (const entry of entries) {
      const path = folder === '' ? entry.name : `${folder}/${entry.name}`
      if (entry.isDirectory()) {
        if (path !== '.git' && patterns.some((pattern) => mayMatchBelow(pattern, path))) await search(path)
      } else if (entry.isFile() && patterns.some((pattern) => matchesPattern(pattern, path))) {
        found.push(path)
        if (found.length > most) throw refuse()
      }
    }
  }
  if (patterns.length > 0) await search('')
  return found.sort()
}

/** Reads the size and the checksum of a file. A link in its place is refused. */
export async function measureFile(checkout: string, path: string): Promise<FoundFile> {
  const file: FileHandle = await open(join(checkout, path), constants.O_RDONLY | constants.O_NOFOLLOW)
  try {
    const hash = createHash('sha256')
    let size = 0
    const stream = createReadStream('', { fd: file, autoClose: false, start: 0, highWaterMark: 1024 * 1024 })
    for await (const chunk of stream as AsyncIterable<Buffer>) {
      hash.update(chunk)
      size += chunk.length
    }
    return { path, size, sha256: hash.digest('hex') }
  } finally {
    await file.close()
  }
}
