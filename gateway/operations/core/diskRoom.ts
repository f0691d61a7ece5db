import { openUploadStatuses } from '../../../spec/builds/uploads.ts'
import { Failure } from '../../../spec/core/failure.ts'
import { idPrefixes } from '../../../spec/core/ids.ts'
import type { Blobs } from '../../../storage/ports/blobs.ts'
import type { TypedViews } from '../typedViews.ts'
import { everyRow } from './everyRow.ts'

/** The kinds of uploads. */
const kinds = ['upload', 'dsymUpload'] as const

export interface DiskRoomParts {
  readonly blobs: Pick<Blobs, 'freeBytes'>
  readonly views: Pick<TypedViews, 'list'>
  /** The number of bytes that must stay free. */
  readonly reserve: number
}

/**
 * The room for the bytes of files. The bytes that open uploads were promised count as taken, so that an upload which was accepted is not refused in
 * its middle because others were accepted after it.
 */
export class DiskRoom {
  readonly #parts: DiskRoomParts

  constructor(parts: DiskRoomParts) {
    this.#parts = parts
  }

  /**
   * Checks that a new file of so many bytes fits.
   * @param uploadId an upload that continues: only uploads that were created before it count
   * @throws Failure INSUFFICIENT_STORAGE
   */
  async requireForNew(bytes: number, uploadId?: string): Promise<void> {
    const free = await this.#parts.blobs.freeBytes()
    if (free === Number.POSITIVE_INFINITY) return
    if (free - bytes - (await this.#promised(uploadId)) < this.#parts.reserve) throw this.#full()
  }

  /**
   * Checks that bytes of a file that was accepted can be written now.
   * @throws Failure INSUFFICIENT_STORAGE
   */
  async requireForPiece(bytes: number): Promise<void> {
    if ((await this.#parts.blobs.freeBytes()) - bytes < this.#parts.reserve) throw this.#full()
  }

  /** IDs begin with the time of their creation. */
  async #promised(uploadId: string | undefined): Promise<number> {
    const time = uploadId?.slice(uploadId.indexOf('_'))
    const promises = kinds.map(async (kind) => {
      const rows = await everyRow(this.#parts.views, {
        kind,
        statuses: openUploadStatuses,
        ...(time === undefined ? {} : { idBefore: `${idPrefixes[kind]}${time}` }),
      })
      return rows.reduce((sum, { init, context }) => sum + init.size - context.offset, 0)
    })
    return (await Promise.all(promises)).reduce((sum, bytes) => sum + bytes, 0)
  }

  #full(): Failure {
    const { reserve } = this.#parts
    return new Failure(
      'INSUFFICIENT_STORAGE',
      `The server has no room for the file: ${reserve} bytes of its disk stay free. An administrator must free space.`,
      { details: { reserve } },
    )
  }
}
