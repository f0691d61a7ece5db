import { randomBytes } from 'node:crypto'
import type { BlobEntry, Blobs, PieceComparison } from '../../ports/blobs.ts'
import { pageOfBlobs, requireBlobName } from '../blobName.ts'
import { MemoryPool } from '../memoryPool.ts'
import { newerWriter } from '../writerFences.ts'
import type { BlobPart, BlobParts, NamedPart } from './blobParts.ts'
import type { S3Objects } from './s3Objects.ts'

/** A part that is smaller grows by the next append, so that only the last part of a blob is smaller. */
const leastPartBytes = 5 * 1024 * 1024
/** An object is read again from the position at which it was cut off, so many times without a further byte. */
const readTries = 4
/** Probes of load balancers come every second. */
const healthKeptMs = 5_000

/**
 * Blobs as objects on S3. An append writes one object and then its row in the database, which decides: of two appends at one place only one
 * gets its row, and an older writer gets none. Objects are never overwritten, so a late request of a process that was replaced harms nothing.
 */
export class S3Blobs implements Blobs {
  /** The row of an append is the fence of the next one. */
  readonly appendsInFlight = 1
  readonly memory = new MemoryPool(Buffer.allocUnsafeSlow)
  readonly #objects: S3Objects
  readonly #parts: BlobParts
  #health: { readonly at: number; readonly answer: Promise<boolean> } | undefined

  constructor(objects: S3Objects, parts: BlobParts) {
    this.#objects = objects
    this.#parts = parts
  }

  async append(name: string, offset: number, data: Uint8Array, writer = 0): Promise<number> {
    requireBlobName(name)
    const last = await this.#parts.last(name)
    const end = last === undefined ? 0 : last.start + last.size
    if (end !== offset) {
      await this.#requireNewest(name, writer)
      throw new RangeError(`The blob ends at ${end}, not at ${offset}.`)
    }
    if (data.length === 0) {
      if (last === undefined) await this.#parts.add(name, { start: 0, size: 0, object: null }, writer)
      return end
    }
    const grows = last !== undefined && last.size < leastPartBytes
    const bytes = grows ? Buffer.concat([await this.#bytesOf(name, last), data]) : copyOf(data)
    const start = grows ? last.start : offset
    const part = { start, size: bytes.length, object: newObject(name, start) }
    await this.#objects.put(part.object, bytes)
    const isTaken = grows
      ? await this.#parts.replace(name, last, part, writer)
      : await this.#parts.add(name, part, writer)
    await this.#drop(isTaken ? [grows ? last.object : null] : [part.object])
    if (isTaken) return offset + data.length
    await this.#requireNewest(name, writer)
    throw new RangeError(`The blob does not end at ${offset} any more.`)
  }

  async truncate(name: string, size: number, writer = 0): Promise<void> {
    requireBlobName(name)
    await this.#drop(await this.#parts.truncate(name, size, writer))
    await this.#requireNewest(name, writer)
  }

  async fence(name: string, writer: number): Promise<void> {
    requireBlobName(name)
    await this.#parts.fence(name, writer)
  }

  async size(name: string): Promise<number | undefined> {
    requireBlobName(name)
    const last = await this.#parts.last(name)
    return last && last.start + last.size
  }

  async *read(name: string, from: number, to: number): AsyncIterable<Uint8Array> {
    requireBlobName(name)
    let at = from
    for (let tries = 1; tries <= readTries; tries++) {
      const parts = await this.#parts.list(name)
      if (parts.length === 0) throw new Error(`There is no blob ${name}.`)
      const begin = at
      let isWhole = true
      for (const part of parts) {
        const partEnd = Math.min(to, part.start + part.size)
        if (partEnd <= at) continue
        for await (const chunk of this.#readPart(part, at - part.start, partEnd - part.start)) {
          at += chunk.length
          yield chunk
        }
        isWhole = at === partEnd
        if (!isWhole) break
      }
      if (isWhole) return
      // The part was replaced by a larger one, or the connection was cut. Its rest is read again.
      if (at > begin) tries = 0
    }
    throw new Error(`The blob ${name} cannot be read at ${at}.`)
  }

  async remove(name: string): Promise<void> {
    requireBlobName(name)
    await this.#drop(await this.#parts.remove(name))
  }

  async *pages(folder: string): AsyncGenerator<readonly BlobEntry[]> {
    requireBlobName(folder)
    for (let after: string | undefined; ; ) {
      const page = await this.#parts.page({ folder, after, limit: pageOfBlobs })
      if (page.length > 0) yield page
      if (page.length < pageOfBlobs) return
      after = page.at(-1)?.name
    }
  }

  async comparePieces(before: number): Promise<PieceComparison> {
    const leftovers: string[] = []
    const unlisted: NamedPart[] = []
    let owned = 0
    let last = ''
    for (let mark: string | undefined, isFirst = true; isFirst || mark !== undefined; isFirst = false) {
      const { objects, next } = await this.#objects.page(mark)
      // The bucket may have objects of others.
      const own = objects.filter(({ key }) => ownKey.test(key))
      const keys = own.map(({ key }) => key)
      const known = keys.length === 0 ? new Set() : await this.#parts.known(keys)
      owned += known.size
      for (const { key, changedAt } of own)
        if (!known.has(key) && changedAt < before && leftovers.length < mostLeftovers) leftovers.push(key)
      // S3 lists all keys in their order, so an object whose key lies between two pages or on this one is listed here.
      const end = next === undefined ? undefined : objects.at(-1)?.key
      if (unlisted.length <= mostMissing) unlisted.push(...(await this.#unlisted(last, end, new Set(keys))))
      last = end ?? last
      mark = next
    }
    return { leftovers, owned, gaps: unlisted.length > mostMissing ? undefined : await this.#gaps(unlisted) }
  }

  /** The parts in this range of keys whose objects are not listed. It stops soon after `mostMissing`. */
  async #unlisted(after: string, upTo: string | undefined, listed: ReadonlySet<string>): Promise<readonly NamedPart[]> {
    const parts = await this.#parts.between(after, upTo, listed.size + mostMissing + 1)
    return parts.filter(({ object }) => object !== null && !listed.has(object))
  }

  /** A part may be newer than the list of objects, or may have been replaced since. So each is looked at once more. */
  async #gaps(unlisted: readonly NamedPart[]): Promise<ReadonlyMap<string, number>> {
    const gaps = new Map<string, number>()
    for (const { name, start, object } of unlisted) {
      if (object === null || (await this.#objects.has(object))) continue
      const isStillPart = (await this.#parts.list(name)).some((part) => part.object === object)
      if (isStillPart) gaps.set(name, Math.min(start, gaps.get(name) ?? start))
    }
    return gaps
  }

  async dropLeftover(piece: string): Promise<void> {
    await this.#objects.remove(piece)
  }

  async freeBytes(): Promise<number> {
    return Number.POSITIVE_INFINITY
  }

  fileOf(): undefined {
    return undefined
  }

  /** Stores a small object, because a bucket that can only be read is of no use. A result counts for some seconds. */
  async healthy(): Promise<boolean> {
    const now = performance.now()
    if (this.#health === undefined || now - this.#health.at > healthKeptMs)
      this.#health = { at: now, answer: this.#objects.problem().then((problem) => problem === undefined) }
    return await this.#health.answer
  }

  /** @throws Failure CONFLICT */
  async #requireNewest(name: string, writer: number): Promise<void> {
    if (writer < (await this.#parts.writer(name))) throw newerWriter()
  }

  /** The rest of a part is left out if its connection is cut or its object was replaced. */
  async *#readPart({ object }: BlobPart, from: number, to: number): AsyncIterable<Uint8Array> {
    const stream = object === null ? undefined : await this.#objects.get(object, from, to)
    if (stream === undefined) return
    try {
      for await (const chunk of stream as unknown as AsyncIterable<Uint8Array>) yield chunk
    } catch {
      // The caller sees that bytes are missing.
    }
  }

  async #bytesOf(name: string, { start, size }: BlobPart): Promise<Buffer> {
    const chunks: Uint8Array[] = []
    for await (const chunk of this.read(name, start, start + size)) chunks.push(chunk)
    return Buffer.concat(chunks)
  }

  /** An object that is not removed here is a leftover, which is dropped after a day. */
  async #drop(objects: readonly (string | null)[]): Promise<void> {
    const removed = objects.map((object) => (object === null ? undefined : this.#objects.remove(object)))
    await Promise.allSettled(removed)
  }
}

/** The client must not send memory that its caller uses again, nor one that threads share. */
function copyOf(data: Uint8Array): Buffer {
  return Buffer.from(data)
}

/** Of one comparison. */
const mostLeftovers = 10_000
const mostMissing = 1_000

/** The keys that `newObject` makes. */
const ownKey = /^[a-z0-9/_-]+\/\d{15}-[0-9a-f]{16}$/

function newObject(name: string, start: number): string {
  return `${name}/${String(start).padStart(15, '0')}-${randomBytes(8).toString('hex')}`
}
