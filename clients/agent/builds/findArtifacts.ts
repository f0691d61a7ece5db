/** Finds the files of a checkout that a build keeps. */
import { createHash } from 'node:crypto'
import { constants, createReadStream } from 'node:fs'
import { type FileHandle, open, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { matchesPattern, mayMatchBelow } from '../../../spec/builds/filePattern.ts'

/** The maximum number of files that one build keeps, as the control plane has it. */
const artifactsMax = 1_000

export interface FoundFile {
  /** In the checkout, with `/`. */
  readonly path: string
  /** Bytes. */
  readonly size: number
  /** Hexadecimal. */
  readonly sha256: string
}

/** A build cannot keep its files. */
export class TooManyFiles extends Error {
  override name = 'TooManyFiles'
}

/**
 * Links are not followed, and only plain files are found.
 * @returns the paths in a fixed order, without their content. @throws TooManyFiles
 */
export async function findFiles(checkout: string, patterns: readonly string[]): Promise<readonly string[]> {
  const found: string[] = []
  const search = async (folder: string): Promise<void> => {
    const entries = await readdir(join(checkout, folder), { withFileTypes: true })
    for (const entry of entries) {
      const path = folder === '' ? entry.name : `${folder}/${entry.name}`
      if (entry.isDirectory()) {
        if (path !== '.git' && patterns.some((pattern) => mayMatchBelow(pattern, path))) await search(path)
      } else if (entry.isFile() && patterns.some((pattern) => matchesPattern(pattern, path))) {
        found.push(path)
        if (found.length > artifactsMax)
          throw new TooManyFiles(
            `More than ${artifactsMax} files match the artifacts of the build configuration. Use patterns that match fewer, or pack the files into an archive.`,
          )
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
