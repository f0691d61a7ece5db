/** Files of any size under a name of `[a-z0-9/_-]`. */
export interface Blobs {
  /** Appends at `offset`, which must be the current size; durable when it resolves. Returns the new size. @throws Failure INSUFFICIENT_STORAGE */
  append(name: string, offset: number, data: Uint8Array): Promise<number>
  size(name: string): Promise<number | undefined>
  read(name: string, from: number, to: number): AsyncIterable<Uint8Array>
  remove(name: string): Promise<void>
  /** The number of bytes that can still be stored. `Infinity` if the storage has no such bound. */
  freeBytes(): Promise<number>
}
