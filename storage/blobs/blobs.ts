import { constants, createReadStream } from 'node:fs'
import { type FileHandle, mkdir, open, opendir, rm, stat, statfs } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { Failure } from '../../spec/core/failure.ts'
import type { BlobEntry, Blobs, PieceComparison } from '../ports/blobs.ts'
import { pageOfBlobs, requireBlobName } from './blobName.ts'
import { GroupSync } from './groupSync.ts'
import { MemoryPool } from './memoryPool.ts'
import { type OpenFile, OpenFiles } from './openFiles.ts'
import { allocatePages, areWholePages } from './pageMemory.ts'
import { WriterFences } from './writerFences.ts'

const suffix = '.blob'

/**
 * Files below a folder, each name with `.blob` behind it: `a` and `a/b` can both be. Several processes may share the folder. Each fences only
 * its own writers. A writer of another process is refused if the size is another one.
 */
export class FileBlobs implements Blobs {
  readonly appendsInFlight = 4
  readonly memory = new MemoryPool(allocatePages)
  readonly #folder: string
  /** The last append of each blob, until its bytes are written. */
  readonly #fences = new WriterFences()
  readonly #files = new OpenFiles()
  readonly #syncs = new Map<string, GroupSync>()
  readonly #writing = new Map<string, Promise<void>>()
  /** The flag of files whose pages the disk takes from the memory by itself. 0: the system, or the file system, has no such flag. */
  #direct: number

  constructor(folder: string, { direct = constants.O_DIRECT ?? 0 }: { readonly direct?: number } = {}) {
    this.#folder = folder
    this.#direct = direct
  }

  /**
   * Bytes, and for a new file its entry in the folder, are on disk when this resolves. Appends are written one after another. So while the
   * bytes of one are synced, the next one is written.
   */
  async append(blob: string, offset: number, data: Uint8Array, writer = 0): Promise<number> {
    const path = this.#path(blob)
    this.#fences.require(blob, writer)
    const former = this.#writing.get(blob)
    const written = Promise.withResolvers<void>()
    this.#writing.set(blob, written.promise)
    try {
      await former
      this.#fences.require(blob, writer)
      // The last piece of a file seldom has whole pages.
      const isKept = areWholePages(data, offset)
      await this.#files.use(
        path,
        () => this.#open(path, offset === 0),
        { isKept },
        async (file) => {
          await this.#write(file, offset, data)
          written.resolve()
          await this.#sync(blob, () => file.file.datasync())
        },
      )
    } catch (error) {
      throw isFull(error)
        ? new Failure('INSUFFICIENT_STORAGE', 'The disk of the server is full. An administrator must free space.', {
            details: { reserve: 0 },
          })
        : error
    } finally {
      written.resolve()
      if (this.#writing.get(blob) === written.promise) this.#writing.delete(blob)
    }
    if (offset === 0) await syncFolder(dirname(path))
    return offset + data.length
  }

  async size(blob: string): Promise<number | undefined> {
    return (await orAbsent(stat(this.#path(blob))))?.size
  }

  async *read(blob: string, from: number, to: number): AsyncIterable<Uint8Array> {
    const path = this.#path(blob)
    if (to <= from) return
    yield* createReadStream(path, { start: from, end: to - 1, highWaterMark: 256 * 1024 })
  }

  async truncate(blob: string, size: number, writer = 0): Promise<void> {
    this.#fences.require(blob, writer)
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

  async fence(blob: string, writer: number): Promise<void> {
    requireBlobName(blob)
    this.#fences.raise(blob, writer)
  }

  async remove(blob: string): Promise<void> {
    this.#fences.remove(blob)
    this.#files.discard(this.#path(blob))
    await rm(this.#path(blob), { force: true })
  }

  async *pages(folder: string): AsyncGenerator<readonly BlobEntry[]> {
    requireBlobName(folder)
    const files = await orAbsent(opendir(join(this.#folder, folder), { bufferSize: pageOfBlobs }))
    if (files === undefined) return
    let names: string[] = []
    for await (const file of files) {
      if (!file.isFile() || !file.name.endsWith(suffix)) continue
      names.push(`${folder}/${file.name.slice(0, -suffix.length)}`)
      if (names.length < pageOfBlobs) continue
      yield await this.#entries(names)
      names = []
    }
    if (names.length > 0) yield await this.#entries(names)
  }

  async #entries(names: readonly string[]): Promise<readonly BlobEntry[]> {
    return await Promise.all(
      names.map(async (name) => {
        const stats = await orAbsent(stat(this.#path(name)))
        // One that was removed in the meantime counts as new, so that no caller acts on it.
        return { name, changedAt: stats?.mtimeMs ?? Number.POSITIVE_INFINITY }
      }),
    )
  }

  /** A blob is one file from its first byte. */
  async comparePieces(): Promise<PieceComparison> {
    return { leftovers: [], owned: 0, gaps: new Map() }
  }

  async dropLeftover(): Promise<void> {}

  async freeBytes(): Promise<number> {
    await mkdir(this.#folder, { recursive: true, mode: 0o700 })
    const { bavail, bsize } = await statfs(this.#folder)
    return bavail * bsize
  }

  fileOf(blob: string): string {
    return this.#path(blob)
  }

  /** The start has created the folder, and the disk of the database is no further away than that of the files. */
  async healthy(): Promise<boolean> {
    return await this.freeBytes().then(
      () => true,
      () => false,
    )
  }

  async #sync(blob: string, sync: () => Promise<void>): Promise<void> {
    const group = this.#syncs.get(blob) ?? new GroupSync()
    this.#syncs.set(blob, group)
    await group.run(sync).finally(() => {
      if (group.isIdle) this.#syncs.delete(blob)
    })
  }

  async #open(path: string, isNew: boolean): Promise<OpenFile> {
    if (isNew) await mkdir(dirname(path), { recursive: true, mode: 0o700 })
    const file = await open(path, constants.O_RDWR | (isNew ? constants.O_CREAT : 0), 0o600)
    if (this.#direct === 0) return { file, direct: undefined }
    // The file could be opened a moment ago, so only the flag can be the reason of an error.
    const direct = await open(path, constants.O_RDWR | this.#direct).catch(() => undefined)
    if (direct === undefined) this.#direct = 0
    return { file, direct }
  }

  /** @throws RangeError if the file does not end at `offset` */
  async #write({ file, direct }: OpenFile, offset: number, data: Uint8Array): Promise<void> {
    const { size } = await file.stat()
    if (size !== offset) throw new RangeError(`The blob ends at ${size}, not at ${offset}.`)
    const isDirect = direct !== undefined && this.#direct !== 0 && areWholePages(data, offset)
    const written = isDirect ? await this.#writeDirect(direct, offset, data) : 0
    await writeAt(file, offset + written, data.subarray(written))
  }

  /** Returns the number of bytes that were written: fewer than all if the file system does not take whole pages. */
  async #writeDirect(file: FileHandle, offset: number, data: Uint8Array): Promise<number> {
    let written = 0
    try {
      while (written < data.length) {
        const { bytesWritten } = await file.write(data, written, data.length - written, offset + written)
        written += bytesWritten
      }
    } catch (error) {
      if (!isUnsupported(error)) throw error
      this.#direct = 0
    }
    return written
  }

  #path(blob: string): string {
    requireBlobName(blob)
    return join(this.#folder, `${blob}${suffix}`)
  }
}

async function writeAt(file: FileHandle, offset: number, data: Uint8Array): Promise<void> {
  for (let written = 0; written < data.length; ) {
    const { bytesWritten } = await file.write(data, written, data.length - written, offset + written)
    written += bytesWritten
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

const unsupportedCodes: ReadonlySet<unknown> = new Set(['EINVAL', 'EOPNOTSUPP'])

function isUnsupported(error: unknown): boolean {
  return error instanceof Error && 'code' in error && unsupportedCodes.has(error.code)
}

async function orAbsent<T>(promise: Promise<T>): Promise<T | undefined> {
  try {
    return await promise
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined
    throw error
  }
}
