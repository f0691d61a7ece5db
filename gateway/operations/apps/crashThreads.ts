/** The threads of crash reports as blobs: as they were sent, and after each symbolication. They are compressed JSON, which may have 100 MiB. */
import { buffer } from 'node:stream/consumers'
import { promisify } from 'node:util'
import { gunzip, gzip } from 'node:zlib'
import { crashSymbolBlob, crashThreadBlob } from '../../../spec/apps/crashReports.ts'
import type { Blobs } from '../../../storage/ports/blobs.ts'
import type { ContentReader } from '../../../storage/ports/contents.ts'
import type { DiskRoom } from '../core/diskRoom.ts'
import { writeBlob } from '../core/files/writeBlob.ts'
import type { CrashContent } from './storedThreads.ts'

export interface CrashThreadParts {
  readonly blobs: Pick<Blobs, 'size' | 'read' | 'append' | 'truncate'>
  readonly room: Pick<DiskRoom, 'requireForPiece'>
  /** Reports of earlier versions have their threads in the database. */
  readonly contents: ContentReader
}

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
   * @param json the threads and images
   * @throws Failure INSUFFICIENT_STORAGE, UNAVAILABLE
   */
  async keep(crashId: string, json: string): Promise<void> {
    await writeBlob(crashThreadBlob(crashId), await promisify(gzip)(json, { level: 1 }), this.#parts)
  }

  /** @param compressed the threads and images after a symbolication */
  async keepSymbolicated(crashId: string, symbolication: string, compressed: Uint8Array): Promise<void> {
    await writeBlob(crashSymbolBlob(crashId, symbolication), compressed, this.#parts)
  }

  /** @returns compressed JSON of the threads and images as they were sent. Undefined if they are lost */
  async readSent(crashId: string): Promise<Uint8Array | undefined> {
    const stored = await this.#read(crashThreadBlob(crashId))
    if (stored !== undefined) return stored
    const old = await buffer(this.#parts.contents.read(crashId))
    return old.length === 0 ? undefined : await promisify(gzip)(old)
  }

  /** @param symbolication the latest one. Null if the report was not symbolicated */
  async read(crashId: string, symbolication: string | null): Promise<CrashContent> {
    const named = symbolication === null ? undefined : await this.#read(crashSymbolBlob(crashId, symbolication))
    const compressed = named ?? (await this.readSent(crashId))
    if (compressed === undefined) return { threads: [], images: [] }
    return JSON.parse((await promisify(gunzip)(compressed)).toString()) as CrashContent
  }

  async #read(name: string): Promise<Uint8Array | undefined> {
    const { blobs } = this.#parts
    const size = await blobs.size(name)
    return size === undefined ? undefined : await buffer(blobs.read(name, 0, size))
  }
}
