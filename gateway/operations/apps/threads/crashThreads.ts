/** The threads of crash reports as blobs: as they were sent, and after each symbolication. */
import { buffer } from 'node:stream/consumers'
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import type { Logger } from 'pino'
import { crashSymbolBlob, crashThreadBlob } from '../../../../spec/apps/crashReports.ts'
import { Failure } from '../../../../spec/core/failure.ts'
import type { Blobs } from '../../../../storage/ports/blobs.ts'
import type { ContentReader } from '../../../../storage/ports/contents.ts'
import type { DiskRoom } from '../../core/diskRoom.ts'
import { writeBlob } from '../../core/files/writeBlob.ts'
import { type ByteSource, sourceOf } from '../dsymFiles/byteSource.ts'
import { ThreadFile } from './threadFile.ts'

export interface CrashThreadParts {
  readonly blobs: Pick<Blobs, 'size' | 'read' | 'append' | 'truncate'>
  readonly room: Pick<DiskRoom, 'requireForPiece'>
  /** Reports of earlier versions have their threads in the database. */
  readonly contents: ContentReader
  readonly log: Pick<Logger, 'error'>
}

/** A file of this size is read at once. Nearly all reports are smaller. */
const smallFile = 256 * 1024

/** The crash report, and the symbolication of it, whose threads a blob has. Undefined if it is the name of something else. */
export function crashInBlob(name: string): { readonly crashId: string; readonly symbolication?: string } | undefined {
  const [, crashId, symbolication] = /^crash-(?:threads|symbols)\/([a-z]+_[0-9a-z]+)(?:-(\w+))?$/.exec(name) ?? []
  return crashId === undefined ? undefined : { crashId, ...(symbolication === undefined ? {} : { symbolication }) }
}

export class CrashThreads {
  readonly #parts: CrashThreadParts

  constructor(parts: CrashThreadParts) {
    this.#parts = parts
  }

  /**
   * Stores the threads durably, before their report is created.
   * @param file of `encodeThreads`
   * @throws Failure INSUFFICIENT_STORAGE, UNAVAILABLE
   */
  async keep(crashId: string, file: Uint8Array): Promise<void> {
    await writeBlob(crashThreadBlob(crashId), file, this.#parts)
  }

  /** @param file of `encodeThreads`, with the threads after a symbolication */
  async keepSymbolicated(crashId: string, symbolication: string, file: Uint8Array): Promise<void> {
    await writeBlob(crashSymbolBlob(crashId, symbolication), file, this.#parts)
  }

  /** The file with the threads and images as they were sent. Undefined if they are lost. */
  async readSent(crashId: string): Promise<Uint8Array | undefined> {
    const source = await this.#findSent(crashId)
    return await source?.read(0, source.size)
  }

  /**
   * Opens the threads. Every report is sent with at least one. If they are lost, the file has none, and each read of it is logged.
   * @param symbolication the latest one. Null if the report was not symbolicated
   */
  async open(crashId: string, symbolication: string | null): Promise<ThreadFile> {
    const named = symbolication === null ? undefined : await this.#find(crashSymbolBlob(crashId, symbolication))
    const source = named ?? (await this.#findSent(crashId))
    if (source !== undefined) return await ThreadFile.open(source)
    this.#parts.log.error({ crashId, symbolication }, 'the threads of a crash report are lost')
    return ThreadFile.of({ threads: [], images: [] })
  }

  async #findSent(crashId: string): Promise<ByteSource | undefined> {
    const stored = await this.#find(crashThreadBlob(crashId))
    if (stored !== undefined) return stored
    const old = await buffer(this.#parts.contents.read(crashId))
    return old.length === 0 ? undefined : sourceOf(await promisify(gzip)(old))
  }

  async #find(name: string): Promise<ByteSource | undefined> {
    const { blobs } = this.#parts
    const size = await blobs.size(name)
    if (size === undefined) return undefined
    const read = async (offset: number, length: number): Promise<Buffer> => {
      const bytes = await buffer(blobs.read(name, offset, offset + length)).catch(async (error) => {
        throw (await blobs.size(name)) === undefined ? replaced() : error
      })
      if (bytes.length === length) return bytes
      throw new RangeError(`${name} has ${bytes.length} of the ${length} bytes at ${offset}`)
    }
    return size > smallFile ? { size, read } : sourceOf(await read(0, size))
  }
}

/** A symbolication removes the file of the one before. */
function replaced(): Failure {
  return new Failure('UNAVAILABLE', 'The crash report was symbolicated again while it was read. Read it again.', {
    retryAfterMs: 1_000,
  })
}
