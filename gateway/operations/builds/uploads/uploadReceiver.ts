/**
 * Receives the bytes of uploads. A request that sends bytes is a writer. A newer writer of the same upload ends the older one: in this
 * process it first lets it store what has come, and in every process the actor accepts offsets of the newest writer only.
 */
import { LRUCache } from 'lru-cache'
import type { Logger } from 'pino'
import type { Clock } from '../../../../actors/ports/clock.ts'
import type { Receiving } from '../../../../machines/builds/receiving.ts'
import type { ActorEvent, ActorRow } from '../../../../spec/core/actor.ts'
import { Failure } from '../../../../spec/core/failure.ts'
import type { BlobHashes } from '../../../../storage/ports/blobHashes.ts'
import type { Blobs } from '../../../../storage/ports/blobs.ts'
import type { Body } from '../../../http/body.ts'
import type { Limits } from '../../../limits/limits.ts'
import type { Origin, System } from '../../../messages.ts'
import type { DiskRoom } from '../../core/diskRoom.ts'
import { notFound } from '../../core/rows.ts'
import type { TypedViews } from '../../typedViews.ts'
import { PieceQueue } from './pieceQueue.ts'
import { replaced, storePieces } from './storePieces.ts'

const MiB = 1024 * 1024
/**
 * Bytes between two commits: about 200 transitions for each GiB. A part of a blob on S3 has at least 5 MiB, so a smaller piece would be stored
 * twice.
 */
const pieceBytes = { ahead: 4 * MiB, oneByOne: 5 * MiB } as const
/**
 * If more bytes are not committed, the connection is paused. With the piece that is being received and one read of the socket, a crash costs
 * less than 16 MiB, and the bytes that the kernel has received beside it.
 */
const pauseAbove = 12 * MiB
/**
 * uWebSockets.js reads on from a paused connection as long as each read fills its buffer: while the sender is faster than this process. Beyond
 * this the request ends, and the sender continues with another one.
 */
const refuseAbove = 256 * MiB
/** Uploads whose last writer is kept. Without it, the next request costs one transition more. */
const keptWriters = 1_000
/** A piece that is not full is stored after this time, ms. */
const latestMs = 2_000
/** The longest time for which a request waits for an older one to store its last bytes, ms. */
const replaceMs = 30_000
/** The longest time for which the answer to the last byte waits for the checksum, ms. */
const verifyWaitMs = 25_000

/** A row of an actor that receives the bytes of a file. */
export interface UploadRow {
  readonly id: string
  readonly kind: 'upload' | 'dsymUpload'
  readonly columns: ActorRow['columns']
  readonly init: { readonly size: number }
  readonly context: Receiving
}

export interface UploadReceiverParts<R extends UploadRow> {
  readonly kind: R['kind']
  /** @throws Error if the row is of another kind */
  typed(row: ActorRow): R
  /** The name of the blob with the bytes of an upload. */
  blobOf(uploadId: string): string
  readonly system: System
  /** Reads the database, not the memory of this process. */
  readonly views: Pick<TypedViews, 'get'>
  readonly blobs: Blobs
  readonly hashes: BlobHashes
  readonly room: DiskRoom
  readonly limits: Pick<Limits, 'uploadBytesPerSecond' | 'uploadRatePeriodMs' | 'uploadsAtOnce'>
  readonly clock: Clock
  readonly log: Logger
}

/** A request that sends bytes. */
export interface UploadWriter {
  /** The position of the first byte of the body. */
  readonly offset: number
  readonly body: Body
  /** The number of bytes of the body. Undefined if it was not announced. */
  readonly length: number | undefined
  /** The most bytes of the body. Undefined if it may have all of the rest. */
  readonly mostBytes?: number
  readonly origin: Omit<Origin, 'receivedAt'>
}

interface ActiveWriter {
  stop(failure: Failure): void
  readonly ended: Promise<void>
}

export class UploadReceiver<R extends UploadRow> {
  readonly #parts: UploadReceiverParts<R>
  readonly #active = new Map<string, ActiveWriter>()
  /** The number of the writer that a complete request of this process had, by upload. The next request can go on with it. */
  readonly #writers = new LRUCache<string, number>({ max: keptWriters })
  #receiving = 0

  constructor(parts: UploadReceiverParts<R>) {
    this.#parts = parts
  }

  /** The number of requests that send bytes to this process. */
  get receiving(): number {
    return this.#receiving
  }

  /** Ends all requests that send bytes. The bytes that have arrived are stored. */
  stop(): void {
    const failure = new Failure('UNAVAILABLE', 'The server is stopping. Continue the upload in a moment.', {
      retryAfterMs: 1_000,
    })
    for (const { stop } of this.#active.values()) stop(failure)
  }

  /** @throws Failure NOT_FOUND if the upload is gone */
  async find(uploadId: string): Promise<R> {
    const row = await this.#peek(uploadId)
    const status = row?.columns.status
    if (row === undefined || status === 'EXPIRED' || status === 'DELETED') throw notFound(this.#parts.kind, uploadId)
    return row
  }

  /**
   * Stores the body of a request and returns the upload after it. If the caller disconnects, or the body is ended for another reason, what
   * has arrived before is stored. If the upload is complete, the checksum is awaited for a while.
   *
   * @throws Failure CONFLICT (another offset, or a newer request), PAYLOAD_TOO_LARGE, INSUFFICIENT_STORAGE, FAILED_PRECONDITION,
   * CHECKSUM_MISMATCH, BAD_USER_INPUT (408), UNAVAILABLE, NOT_FOUND; BodyAborted
   */
  async receive(uploadId: string, writer: UploadWriter): Promise<R> {
    requireOffset(await this.find(uploadId), writer.offset)
    if (this.#receiving >= this.#parts.limits.uploadsAtOnce)
      throw new Failure('UNAVAILABLE', 'Too many uploads are in progress. Try again in a few seconds.', {
        retryAfterMs: 5_000,
      })
    this.#receiving++
    try {
      await this.#replace(uploadId, writer)
    } finally {
      this.#receiving--
    }
    return await this.#awaitChecksum(await this.find(uploadId), writer)
  }

  /**
   * Awaits the checksum of an upload whose bytes have all arrived, for a while.
   * @throws Failure CONFLICT if bytes are missing, CHECKSUM_MISMATCH, FAILED_PRECONDITION, NOT_FOUND
   */
  async verify(uploadId: string, origin: UploadWriter['origin']): Promise<R> {
    const row = await this.find(uploadId)
    requireOffset(row, row.init.size)
    return await this.#awaitChecksum(row, { origin })
  }

  /** Each writer waits for the one before it, so that two never append to one file at once. */
  async #replace(uploadId: string, writer: UploadWriter): Promise<void> {
    const former = this.#active.get(uploadId)
    const ended = Promise.withResolvers<void>()
    const active: ActiveWriter = { stop: (failure) => writer.body.stop(failure), ended: ended.promise }
    this.#active.set(uploadId, active)
    try {
      if (former !== undefined) await this.#end(former)
      await this.#receive(await this.find(uploadId), writer)
    } finally {
      if (this.#active.get(uploadId) === active) this.#active.delete(uploadId)
      ended.resolve()
    }
  }

  async #end(former: ActiveWriter): Promise<void> {
    former.stop(replaced())
    const late = Promise.withResolvers<never>()
    const cancel = this.#parts.clock.after(replaceMs, () =>
      late.reject(
        new Failure('UNAVAILABLE', 'An older request of this upload is still storing its bytes. Try again.', {
          retryAfterMs: 5_000,
        }),
      ),
    )
    await Promise.race([former.ended, late.promise]).finally(cancel)
  }

  async #receive(found: UploadRow, writer: UploadWriter): Promise<void> {
    const { blobs, hashes, room, clock, limits, views, kind, blobOf } = this.#parts
    requireOffset(found, writer.offset)
    const rest = found.init.size - writer.offset
    if (rest === 0 && !mayHaveBytes(writer)) return
    if (writer.length !== undefined && writer.length > rest) throw tooLong(rest)
    await room.requireForNew(rest, found.id)
    const begun = await this.#beginOrGoOn(found, writer)
    const blob = blobOf(found.id)
    hashes.begin(blob, writer.offset)
    const piece = blobs.appendsInFlight > 1 ? pieceBytes.ahead : pieceBytes.oneByOne
    if (rest > pauseAbove) await blobs.memory.prepare(piece)
    const queue = new PieceQueue({
      ...{ pieceBytes: Math.min(piece, Math.max(1, rest)), pauseAbove, refuseAbove, latestMs },
      ...{ memory: blobs.memory, clock },
    })
    const target = {
      blob,
      writer: begun.context.writer,
      offset: writer.offset,
      commit: async (offset: number) => {
        await this.#send(found.id, { type: 'advance', writer: begun.context.writer, offset }, writer)
      },
      isNewest: async () => {
        const row = (await views.get(kind, found.id)) as UploadRow | undefined
        return row !== undefined && !row.columns.terminal && row.context.writer === begun.context.writer
      },
      onReleased: () => {
        if (queue.held <= queue.pauseAbove) writer.body.resume()
      },
    }
    const storing = storePieces(queue, target, { blobs, hashes, room })
    // The body must not be received further if it cannot be stored.
    storing.catch((error: unknown) => writer.body.stop(asFailure(error, this.#parts.log, found.id)))
    const periodMs = limits.uploadRatePeriodMs
    const minimum = { bytes: (limits.uploadBytesPerSecond * periodMs) / 1_000, periodMs }
    const most = Math.min(rest, writer.mostBytes ?? rest)
    const received = writer.body.receive(queue, most, minimum).finally(() => queue.close())
    const [stored, arrived] = await Promise.allSettled([storing, received])
    if (stored.status === 'rejected') {
      await this.#removeIfEnded(found.id)
      throw stored.reason
    }
    if (arrived.status === 'rejected') throw arrived.reason
    this.#writers.set(found.id, begun.context.writer)
  }

  /**
   * A new writer replaces the one before, and cuts off what it left above the offset. If the one before was the last request of this process
   * and complete, it has left nothing, and its number is used again: if another process has a newer one, the first commit is refused.
   */
  async #beginOrGoOn(found: UploadRow, writer: UploadWriter): Promise<UploadRow> {
    const lastOfThisProcess = this.#writers.get(found.id)
    this.#writers.delete(found.id)
    const goesOn = lastOfThisProcess === found.context.writer
    if (goesOn && (await this.#parts.blobs.size(this.#parts.blobOf(found.id))) === writer.offset) return found
    const begun = await this.#begin(found.id, writer)
    requireOffset(begun, writer.offset)
    await this.#requireStored(begun, writer)
    return begun
  }

  /** @throws Failure CONFLICT with the right offset, also if an older request on another process has stored all bytes in the meantime */
  async #begin(uploadId: string, writer: UploadWriter): Promise<UploadRow> {
    try {
      return await this.#send(uploadId, { type: 'begin' }, writer)
    } catch (error) {
      const latest = await this.#peek(uploadId)
      if (latest !== undefined && !latest.columns.terminal) requireOffset(latest, writer.offset)
      throw error
    }
  }

  /** An upload that was deleted while it was received has deleted its bytes, perhaps before the last of them were written. */
  async #removeIfEnded(uploadId: string): Promise<void> {
    const { blobs, blobOf, log } = this.#parts
    try {
      const row = await this.#peek(uploadId)
      if (row?.columns.terminal !== false) await blobs.remove(blobOf(uploadId))
    } catch (error) {
      log.warn({ err: error, uploadId }, 'bytes of an ended upload not removed')
    }
  }

  /** Cuts off what a crash, or a writer that was replaced, left above the offset. */
  async #requireStored({ id, context }: UploadRow, writer: UploadWriter): Promise<void> {
    const { blobs, blobOf } = this.#parts
    const blob = blobOf(id)
    await blobs.fence(blob, context.writer)
    await blobs.truncate(blob, context.offset, context.writer)
    const stored = (await blobs.size(blob)) ?? 0
    if (stored >= context.offset) return
    const row = await this.#send(id, { type: 'bytesLost', stored }, writer)
    throw failureOf(row)
  }

  /**
   * The checksum of a complete upload. The effect of its actor computes it too, in this process or in another one; the work is shared within
   * a process, and a second result changes nothing.
   */
  async #awaitChecksum(row: R, writer: Pick<UploadWriter, 'origin'>): Promise<R> {
    if (row.columns.status === 'FAILED') throw failureOf(row)
    if (row.columns.status !== 'VERIFYING') return row
    const { hashes, clock, log, blobOf } = this.#parts
    const late = Promise.withResolvers<undefined>()
    const cancel = clock.after(verifyWaitMs, () => late.resolve(undefined))
    const computed = hashes.digest(blobOf(row.id), row.init.size).catch((error: unknown) => {
      log.warn({ err: error, uploadId: row.id }, 'checksum of an upload delayed')
      return undefined
    })
    const sha256 = await Promise.race([computed, late.promise]).finally(cancel)
    if (sha256 !== undefined) {
      try {
        await this.#send(row.id, { type: 'verified', sha256 }, writer)
      } catch (error) {
        // The effect was faster, and the upload has failed or was deleted.
        if (!isRefusal(error)) throw error
      }
    }
    const last = await this.find(row.id)
    if (last.columns.status === 'FAILED') throw failureOf(last)
    return last
  }

  async #send(uploadId: string, event: ActorEvent, { origin }: Pick<UploadWriter, 'origin'>): Promise<R> {
    const { system, clock, kind, typed } = this.#parts
    // The request may take hours, and deadlines are compared with the time of each message.
    const now = { ...origin, receivedAt: clock.now() }
    try {
      const reply = await system.ask({ to: { kind, id: uploadId }, event }, now)
      return typed(reply.row)
    } catch (error) {
      if (isRefusal(error)) await this.#requireAlive(uploadId)
      throw error
    }
  }

  async #peek(uploadId: string): Promise<R | undefined> {
    const { system, kind, typed } = this.#parts
    const row = await system.peek({ kind, id: uploadId })
    return row && typed(row)
  }

  /** An upload may end just before a message, for example because its time is over. The answer is then that of later requests. */
  async #requireAlive(uploadId: string): Promise<void> {
    const row = await this.find(uploadId)
    if (row.columns.status === 'FAILED') throw failureOf(row)
  }
}

/** Whether the state of an actor did not accept an event. */
const isRefusal = (error: unknown): boolean => error instanceof Failure && error.code === 'FAILED_PRECONDITION'

const mayHaveBytes = ({ length }: UploadWriter): boolean => length === undefined || length > 0

/** @throws Failure if the upload does not continue at this offset */
function requireOffset(row: UploadRow, given: number): void {
  if (row.columns.status === 'FAILED') throw failureOf(row)
  const { offset } = row.context
  if (given === offset) return
  throw new Failure('CONFLICT', `The upload has ${offset} bytes. Continue at Upload-Offset ${offset}, not ${given}.`, {
    details: { offset },
  })
}

function failureOf({ context: { problem } }: UploadRow): Failure {
  const { code, message } = problem ?? { code: 'UPLOAD_FAILED', message: 'The upload has failed.' }
  return code === 'CHECKSUM_MISMATCH'
    ? new Failure('CHECKSUM_MISMATCH', message)
    : new Failure('FAILED_PRECONDITION', message, { details: { problem: code } })
}

function tooLong(rest: number): Failure {
  return new Failure('PAYLOAD_TOO_LARGE', `The rest of the file has ${rest} bytes, and the body has more.`, {
    details: { limit: rest },
  })
}

function asFailure(error: unknown, log: Logger, uploadId: string): Failure {
  if (error instanceof Failure) return error
  log.error({ err: error, uploadId }, 'bytes of an upload not stored')
  return new Failure('INTERNAL', 'The bytes could not be stored. Continue the upload.')
}
