/** Reads a file of a worktree before and after a change: in a commit, and in another one or as it is now. It only reads, and follows no link. */
import { constants } from 'node:fs'
import { type FileHandle, lstat, open, readlink, realpath } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { DiffImageSide, MissingContent } from '../../../spec/worktrees/diffImages.ts'
import { type ImageFormat, isImageFormat, recognizeImage } from '../../../spec/worktrees/imageFormat.ts'
import { Refusal } from '../jobs/refusal.ts'
import { gitLine, gitStream } from '../system/git.ts'
import { splitAtZeros } from './zeroSeparated.ts'

export interface ImagePlace {
  /** The resolved path of the worktree. */
  readonly worktree: string
  /** The path of the file in the worktree, and the one in the commit. */
  readonly path: string
  readonly oldPath: string
  readonly base: string
  /** Null: the file as it is in the worktree. */
  readonly head: string | null
  readonly maxBytes: number
}

/** The bytes of an image, or the reason why it has none. */
export type ImageSide =
  | { readonly content: ImageFormat; readonly bytes: Buffer }
  | { readonly content: MissingContent; readonly size: number | null }

/** @throws Refusal COMMIT_NOT_FOUND */
export async function readImageSides(place: ImagePlace): Promise<Readonly<Record<DiffImageSide, ImageSide>>> {
  const { path, oldPath, base, head } = place
  return {
    before: await readInCommit(base, oldPath, place),
    after: head === null ? await readInWorktree(place) : await readInCommit(head, path, place),
  }
}

async function readInCommit(name: string, path: string, { worktree, maxBytes }: ImagePlace): Promise<ImageSide> {
  const args = ['rev-parse', '--verify', '--quiet', '--end-of-options', `${name}^{commit}`]
  const commit = await gitLine(worktree, args)
  if (commit === undefined) throw new Refusal('COMMIT_NOT_FOUND', `${worktree} has no commit “${name}”.`)
  const env = { GIT_LITERAL_PATHSPECS: '1', GIT_NO_REPLACE_OBJECTS: '1', GIT_NO_LAZY_FETCH: '1' }
  const listed = gitStream(worktree, ['ls-tree', '-z', commit, '--', path], { env })
  for await (const entry of splitAtZeros(listed)) {
    const [, mode = '', type = '', id = ''] = /^(\d+) (\w+) ([0-9a-f]+)\t/.exec(entry.toString('latin1')) ?? []
    if (mode === '120000') return missing('SYMLINK')
    if (type !== 'blob') return missing('NOT_A_FILE')
    const read = (args: string[]) => readAll(gitStream(worktree, ['cat-file', ...args, id], { env }))
    const size = Number(await read(['-s']))
    return size > maxBytes ? missing('TOO_LARGE', size) : toSide(await read(['blob']))
  }
  return missing('ABSENT')
}

async function readAll(stream: AsyncIterable<Buffer>): Promise<Buffer> {
  const parts: Buffer[] = []
  for await (const part of stream) parts.push(part)
  return Buffer.concat(parts)
}

async function readInWorktree({ worktree, path, maxBytes }: ImagePlace): Promise<ImageSide> {
  const file = join(worktree, path)
  const folder = await realpath(dirname(file)).catch(() => undefined)
  if (folder === undefined) return missing('ABSENT')
  if (folder !== dirname(file)) return missing('SYMLINK')
  const found = await lstat(file).catch(() => undefined)
  if (found === undefined) return missing('ABSENT')
  if (found.isSymbolicLink()) return missing('SYMLINK')
  if (!found.isFile()) return missing('NOT_A_FILE')
  const handle = await open(file, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK)
  try {
    // A folder above the file may have been replaced by a link meanwhile.
    if ((await placeOf(handle, file)) !== file) return missing('SYMLINK')
    const opened = await handle.stat()
    if (!opened.isFile()) return missing('NOT_A_FILE')
    if (opened.size > maxBytes) return missing('TOO_LARGE', opened.size)
    const bytes = Buffer.alloc(opened.size)
    const { bytesRead } = await handle.read(bytes, 0, bytes.length, 0)
    return toSide(bytes.subarray(0, bytesRead))
  } finally {
    await handle.close()
  }
}

/** The real path of an open file. Linux has it by the open file itself, so nothing that changes meanwhile can hide it. */
async function placeOf({ fd }: FileHandle, file: string): Promise<string | undefined> {
  const place = process.platform === 'linux' ? readlink(`/proc/self/fd/${fd}`) : realpath(file)
  return await place.catch(() => undefined)
}

function toSide(bytes: Buffer): ImageSide {
  const content = recognizeImage(bytes)
  return isImageFormat(content) ? { content, bytes } : { content, size: bytes.length }
}

const missing = (content: MissingContent, size: number | null = null): ImageSide => ({ content, size })
