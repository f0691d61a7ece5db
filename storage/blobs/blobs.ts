import { createReadStream } from 'node:fs'
import { mkdir, open, rm, stat, statfs } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { Failure } from '../../spec/core/failure.ts'
import type { Blobs } from '../ports/blobs.ts'
import { requireBlobName } from './blobName.ts'

/** Files below a folder, each name with `.blob` behind it: `a` and `a/b` can both be. */
export class FileBlobs implements Blobs {
  readonly #folder: string

  constructor(folder: string) {
    this.#folder = folder
  }

  /** Bytes, and for a new file its entry in the folder, are on disk when this resolves. */
  async append(blob: string, offset: number, data: Uint8Array): Promise<number> {
    const path = this.#path(blob)
    await mkdir(dirname(path), { recursive: true, mode: 0o700 })
    const file = await open(path, offset === 0 ? 'a+' : 'r+')
    try {
      const { size } = await file.stat()
      if (size !== offset) throw new RangeError(`The blob ends at ${size}, not at ${offset}.`)
      for (let written = 0; written < data.length; ) {
        const { bytesWritten } = await file.write(data, written, data.length - written, offset + written)
        written += bytesWritten
      }
      await file.datasync()
    } catch (error) {
      throw isFull(error)
        ? new Failure('INSUFFICIENT_STORAGE', 'The disk of the server is full. An administrator must free space.', {
            details: { reserve: 0 },
          })
        : error
    } finally {
      await file.close()
    }
    if (offset === 0) await syncFolder(dirname(path))
    return offset + data.length
  }

  async size(blob: string): Promise<number | undefined> {
    return (await orAbsent(stat(this.#path(blob))))?.size
  }

  /** From `from` up to and without `to`. */
  async *read(blob: string, from: number, to: number): AsyncIterable<Uint8Array> {
    const path = this.#path(blob)
    if (to <= from) return
    yield* createReadStream(path, { start: from, end: to - 1, highWaterMark: 256 * 1024 })
  }

  /** Cuts off what lies above `size`: what a crash left of an append that was never acknowledged. */
  async truncate(blob: string, size: number): Promise<void> {
    const file = await orAbsent(open(this.#path(blob), 'r+'))
    if (file === undefined) return
    try {
      const { size: present } = await file.stat()
      if (present > size) {
        await file.truncate(size)
        await file.datasync()
      }
    } finally {
      await file.close()
    }
  }

  async remove(blob: string): Promise<void> {
    await rm(this.#path(blob), { force: true })
  }

  async freeBytes(): Promise<number> {
    await mkdir(this.#folder, { recursive: true, mode: 0o700 })
    const { bavail, bsize } = await statfs(this.#folder)
    return bavail * bsize
  }

  #path(blob: string): string {
    requireBlobName(blob)
    return join(this.#folder, `${blob}.blob`)
  }
}

async function syncFolder(path: string): Promise<void> {
  const folder = await open(path, 'r')
  await folder.sync().finally(() => folder.close())
}

const fullCodes: ReadonlySet<unknown> = new Set(['ENOSPC', 'EDQUOT'])

function isFull(error: unknown): boolean {
  return error instanceof Error && 'code' in error && fullCodes.has(error.code)
}

async function orAbsent<T>(promise: Promise<T>): Promise<T | undefined> {
  try {
    return await promise
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined
    throw error
  }
}
