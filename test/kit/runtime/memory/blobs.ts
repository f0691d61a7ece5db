import { requireBlobName } from '../../../../storage/blobs/blobName.ts'
import type { Blobs } from '../../../../storage/ports/blobs.ts'

export class MemoryBlobs implements Blobs {
  readonly #blobs = new Map<string, Uint8Array>()
  /** A test sets it to fill the storage. */
  free = Number.POSITIVE_INFINITY

  async append(name: string, offset: number, data: Uint8Array): Promise<number> {
    requireBlobName(name)
    const before = this.#blobs.get(name) ?? new Uint8Array()
    if (before.length !== offset) throw new RangeError(`The blob ends at ${before.length}, not at ${offset}.`)
    const after = new Uint8Array(offset + data.length)
    after.set(before)
    after.set(data, offset)
    this.#blobs.set(name, after)
    return after.length
  }

  async size(name: string): Promise<number | undefined> {
    requireBlobName(name)
    return this.#blobs.get(name)?.length
  }

  async *read(name: string, from: number, to: number): AsyncIterable<Uint8Array> {
    requireBlobName(name)
    const blob = this.#blobs.get(name)
    if (blob === undefined) throw new Error(`There is no blob ${name}.`)
    if (from < Math.min(to, blob.length)) yield blob.slice(from, to)
  }

  async remove(name: string): Promise<void> {
    requireBlobName(name)
    this.#blobs.delete(name)
  }

  async freeBytes(): Promise<number> {
    return this.free
  }

  names(): string[] {
    return [...this.#blobs.keys()]
  }
}
