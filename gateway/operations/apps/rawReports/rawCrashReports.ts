/** Raw reports: the files of crash reports as they were sent, stored as blobs. They are deleted after some days. The crash reports are kept. */
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGunzip } from 'node:zlib'
import type * as v from 'valibot'
import type { TypedRow } from '../../../../machines/rows.ts'
import {
  type CrashReportFormat,
  rawCrashReportBlob,
  rawCrashReportFolder,
  type rawCrashReportSchema,
} from '../../../../spec/apps/rawCrashReports.ts'
import { toDateTime } from '../../../../spec/core/types.ts'
import type { Blobs } from '../../../../storage/ports/blobs.ts'
import type { DiskRoom } from '../../core/diskRoom.ts'
import { writeBlob } from '../../core/files/writeBlob.ts'

/** A crash report as it was sent, without its `Content-Encoding`. */
export interface RawCrashReport {
  readonly format: CrashReportFormat
  /** The number of bytes before the compression. */
  readonly size: number
  /** The bytes as gzip. */
  readonly compressed: Uint8Array
}

export interface RawCrashReportParts {
  readonly blobs: Pick<Blobs, 'size' | 'read' | 'append' | 'truncate'>
  readonly room: Pick<DiskRoom, 'requireForPiece'>
  readonly retentionDays: number
}

type CrashReportRow = Pick<TypedRow<'crashReport'>, 'id' | 'init' | 'createdAt'>

const dayMs = 86_400_000

const extensions: Readonly<Record<CrashReportFormat, string>> = {
  IPS: 'ips',
  CRASH: 'crash',
  METRIC_KIT: 'json',
  JSON: 'json',
}

/** The time at which the raw report of a crash report is deleted, milliseconds since 1970. */
export function rawReportExpiresAt({ createdAt }: CrashReportRow, retentionDays: number): number {
  return createdAt + retentionDays * dayMs
}

/** The ID of the crash report whose raw report the blob has. Undefined for another kind of blob. */
export function crashIdOfRawReport(name: string): string | undefined {
  const [folder, crashId] = name.split('/')
  return folder === rawCrashReportFolder ? crashId : undefined
}

export class RawCrashReports {
  readonly #parts: RawCrashReportParts

  constructor(parts: RawCrashReportParts) {
    this.#parts = parts
  }

  /**
   * Stores the raw report durably. The caller creates the crash report afterwards.
   * @throws Failure INSUFFICIENT_STORAGE, UNAVAILABLE
   */
  async keep(crashId: string, { compressed }: RawCrashReport): Promise<void> {
    await writeBlob(rawCrashReportBlob(crashId), compressed, this.#parts)
  }

  /**
   * @param now milliseconds since 1970. A raw report that has expired is not returned, although its bytes are deleted up to an hour later
   * @returns undefined if the report was not sent as a file, or the file was deleted or has expired
   */
  async find(row: CrashReportRow, now: number): Promise<v.InferInput<typeof rawCrashReportSchema> | undefined> {
    const { raw, reportId } = row.init
    const expiresAt = rawReportExpiresAt(row, this.#parts.retentionDays)
    if (raw === undefined || expiresAt <= now) return undefined
    // The file can be missing before its expiry, if the retention was shorter before.
    if ((await this.#parts.blobs.size(rawCrashReportBlob(row.id))) === undefined) return undefined
    return { ...raw, name: `${reportId}.${extensions[raw.format]}`, expiresAt: toDateTime(expiresAt) }
  }

  /** Yields the bytes of a raw report as they were sent, from `from` to `to`, which is exclusive. */
  async *read(crashId: string, from: number, to: number): AsyncGenerator<Uint8Array> {
    const unpacked = createGunzip()
    // An error destroys `unpacked`, so the loop below throws it.
    const packing = pipeline(Readable.from(this.#packed(crashId)), unpacked).catch(() => {})
    let at = 0
    for await (const chunk of unpacked as AsyncIterable<Buffer>) {
      const part = chunk.subarray(Math.max(0, from - at), Math.max(0, to - at))
      at += chunk.length
      if (part.length > 0) yield part
      if (at >= to) break
    }
    await packing
  }

  async *#packed(crashId: string): AsyncGenerator<Uint8Array> {
    const { blobs } = this.#parts
    const name = rawCrashReportBlob(crashId)
    const size = await blobs.size(name)
    if (size === undefined) throw new Error(`the blob ${name} was removed after it was found`)
    yield* blobs.read(name, 0, size)
  }
}
