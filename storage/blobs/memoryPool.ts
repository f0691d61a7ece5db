import { setImmediate as nextTurn } from 'node:timers/promises'
import type { BlobMemory } from '../ports/blobs.ts'

const MiB = 1024 * 1024
/** Memory beyond this is not kept for the next piece. */
const keptBytes = 256 * MiB
/** A fast sender fills the receive buffer of the system, which then arrives at once. */
const preparedBytes = 64 * MiB

/**
 * Large pieces of memory that are used again. Memory that the garbage collector counts starts it at every few pieces, and other memory (shared
 * between threads) never starts it.
 */
export class MemoryPool implements BlobMemory {
  readonly #allocate: (bytes: number) => Uint8Array
  readonly #free = new Map<number, ArrayBufferLike[]>()
  readonly #prepared = new Map<number, Promise<void>>()
  #kept = 0

  constructor(allocate: (bytes: number) => Uint8Array) {
    this.#allocate = allocate
  }

  async prepare(bytes: number): Promise<void> {
    const prepared = this.#prepared.get(bytes) ?? this.#prepare(bytes)
    this.#prepared.set(bytes, prepared)
    await prepared
  }

  take(bytes: number): Uint8Array {
    // The end of an upload has any size, so its memory could hardly be used again.
    if (bytes % MiB !== 0) return Buffer.allocUnsafeSlow(bytes)
    const buffer = this.#free.get(bytes)?.pop()
    if (buffer === undefined) return this.#allocate(bytes)
    this.#kept -= bytes
    return new Uint8Array(buffer, 0, bytes)
  }

  give({ buffer }: Uint8Array): void {
    const bytes = buffer.byteLength
    if (bytes % MiB !== 0 || this.#kept + bytes > keptBytes) return
    const free = this.#free.get(bytes) ?? []
    this.#free.set(bytes, free)
    free.push(buffer)
    this.#kept += bytes
  }

  /** The system maps memory only when it is written. One piece in each turn, so that other requests are not delayed. */
  async #prepare(bytes: number): Promise<void> {
    for (let pieces = 0; (pieces + 1) * bytes <= preparedBytes; pieces++) {
      this.give(this.#allocate(bytes).fill(0))
      await nextTurn()
    }
  }
}
