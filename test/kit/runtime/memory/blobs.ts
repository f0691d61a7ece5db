import { pageOfBlobs, requireBlobName } from '../../../../storage/blobs/blobName.ts'
import { MemoryPool } from '../../../../storage/blobs/memoryPool.ts'
import { WriterFences } from '../../../../storage/blobs/writerFences.ts'
import type { BlobEntry, Blobs, PieceComparison } from '../../../../storage/ports/blobs.ts'

export class MemoryBlobs implements Blobs {
  readonly appendsInFlight = 1
  readonly memory = new MemoryPool(Buffer.allocUnsafeSlow)
  readonly #blobs = new Map<string, Uint8Array>()
  readonly #fences = new WriterFences()
  readonly #changed = new Map<string, number>()
  /** A test sets it to fill the storage. */
  free = Number.POSITIVE_INFINITY
  /** A test sets it to lose pieces. */
  gaps: PieceComparison['gaps'] = new Map()

  async append(name: string, offset: number, data: Uint8Array, writer = 0): Promise<number> {
    requireBlobName(name)
    this.#fences.require(name, writer)
    const before = this.#blobs.get(name) ?? new Uint8Array()
    if (before.length !== offset) throw new RangeError(`The blob ends at ${before.length}, not at ${offset}.`)
    const after = new Uint8Array(offset + data.length)
    after.set(before)
    after.set(data, offset)
    this.#blobs.set(name, after)
    this.#changed.set(name, Date.now())
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

  async fence(name: string, writer: number): Promise<void> {
    requireBlobName(name)
    this.#fences.raise(name, writer)
  }

  async truncate(name: string, size: number, writer = 0): Promise<void> {
    requireBlobName(name)
    this.#fences.require(name, writer)
    const blob = this.#blobs.get(name)
    if (blob !== undefined && blob.length > size) this.#blobs.set(name, blob.slice(0, size))
  }

  async remove(name: string): Promise<void> {
    requireBlobName(name)
    this.#blobs.delete(name)
  }

  async comparePieces(): Promise<PieceComparison> {
    return { leftovers: [], owned: 0, gaps: this.gaps }
  }

  async dropLeftover(): Promise<void> {}

  async freeBytes(): Promise<number> {
    return this.free
  }

  async *pages(folder: string): AsyncGenerator<readonly BlobEntry[]> {
    requireBlobName(folder)
    const names = [...this.#blobs.keys()].filter(
      (name) => name.startsWith(`${folder}/`) && !name.slice(folder.length + 1).includes('/'),
    )
    for (let from = 0; from < names.length; from += pageOfBlobs)
      yield names.slice(from, from + pageOfBlobs).map((name) => ({ name, changedAt: this.#changed.get(name) ?? 0 }))
  }

  fileOf(): undefined {
    return undefined
  }

  async healthy(): Promise<boolean> {
    return true
  }

  /** Makes a blob look as if it had last changed at another time. */
  age(name: string, changedAt: number): void {
    this.#changed.set(name, changedAt)
  }

  names(): string[] {
    return [...this.#blobs.keys()]
  }
}
