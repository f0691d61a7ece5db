/**
 * The SHA-256 of blobs while they grow, computed on other threads. The state of a blob is kept in memory and covers its first bytes. The
 * others, for example all of them after a restart, are read from the blob again.
 */
export interface BlobHashes {
  /**
   * The blob has `size` durable bytes, and more may follow. Begins to hash them in the background. A state that covers more is dropped.
   */
  begin(name: string, size: number): void
  /** The blob has durably grown from `offset` by `data`. The memory of `data` may be used again when this resolves; it never rejects. */
  follow(name: string, offset: number, data: Uint8Array): Promise<void>
  /**
   * The SHA-256 of the first `size` bytes in hexadecimal. Callers that ask at the same time share the work. It takes about a second for each
   * GiB that was not hashed before.
   *
   * @throws Error if the blob cannot be read, or has fewer bytes
   */
  digest(name: string, size: number): Promise<string>
  /** The number of bytes that are hashed. */
  covered(name: string): number
  /** Drops the state of a blob. */
  discard(name: string): void
}
