/** A blob as a list has it. */
export interface BlobEntry {
  readonly name: string
  /** The time of the last change, milliseconds since 1970, on the clock of the storage. */
  readonly changedAt: number
}

/** How the pieces that the storage has differ from those of the blobs. */
export interface PieceComparison {
  /** Pieces that belong to no blob. At most 10,000. The others are among them when these are dropped. */
  readonly leftovers: readonly string[]
  /** How many pieces belong to blobs. */
  readonly owned: number
  /**
   * Blobs of which a piece is missing, with the number of bytes before the first missing one. Undefined if more than 1,000 pieces are
   * missing: then this is probably the wrong storage.
   */
  readonly gaps: ReadonlyMap<string, number> | undefined
}

export interface BlobMemory {
  /** Makes pieces of this size ready, once. New memory is slow at its first use, and a fast sender would fill more and more of it meanwhile. */
  prepare(bytes: number): Promise<void>
  /** Its bytes are not cleared. */
  take(bytes: number): Uint8Array
  /** The memory of these bytes, all of it, is used again. */
  give(data: Uint8Array): void
}

/**
 * Files of any size under a name of `[a-z0-9/_-]`. A blob has one writer at a time. Writers have numbers, and after `fence` those with smaller
 * numbers change nothing any more.
 *
 * Each method throws Failure UNAVAILABLE if the storage cannot be reached.
 */
export interface Blobs {
  /**
   * How many appends to one blob may be in flight, each at the end of the one before. Bytes are durable when their own append and all earlier
   * ones have resolved. If one fails, the later ones count as failed.
   */
  readonly appendsInFlight: number
  /** Memory from which `append` takes bytes fastest. Other memory can be appended too. */
  readonly memory: BlobMemory
  /**
   * Appends at `offset`, which must be the current size; durable when it resolves. Returns the new size. An append that fails may have
   * stored some of the bytes: `truncate` before the next one.
   *
   * @param writer 0 if omitted
   * @throws RangeError if the blob has another size
   * @throws Failure INSUFFICIENT_STORAGE, CONFLICT if a newer writer exists
   */
  append(name: string, offset: number, data: Uint8Array, writer?: number): Promise<number>
  /**
   * Durably cuts off the bytes above `size`. A shorter blob, or none, stays as it is.
   *
   * @param writer 0 if omitted
   * @throws Failure CONFLICT if a newer writer exists
   */
  truncate(name: string, size: number, writer?: number): Promise<void>
  /**
   * From now on, writers with smaller numbers are refused. An append of one that is in flight may still be carried out: `truncate` again if
   * the size is another one.
   */
  fence(name: string, writer: number): Promise<void>
  /** Undefined if there is no blob. */
  size(name: string): Promise<number | undefined>
  /** From `from` up to and without `to`. Bytes that the blob does not have are left out. @throws Error if there is no blob */
  read(name: string, from: number, to: number): AsyncIterable<Uint8Array>
  /** A blob that does not exist stays so. */
  remove(name: string): Promise<void>
  /**
   * The blobs of a folder, without those of its subfolders: in no order, and in pages of at most 100, so that a caller which reads all of
   * them delays no other work of the process. A blob that is written or removed meanwhile is among them or not.
   */
  pages(folder: string): AsyncIterable<readonly BlobEntry[]>
  /** @param before leftovers of a later time (milliseconds since 1970) are left out, because their blob may not be written yet */
  comparePieces(before: number): Promise<PieceComparison>
  dropLeftover(piece: string): Promise<void>
  /** The number of bytes that can still be stored. `Infinity` if the storage has no such bound. */
  freeBytes(): Promise<number>
  /** The path of a blob's bytes, if they are a file of this machine: a thread can then read it by itself. */
  fileOf(name: string): string | undefined
  /** Whether the storage answers. It takes at most some seconds. */
  healthy(): Promise<boolean>
}
