/** Files of any size under a name of `[a-z0-9/_-]`. */
export interface Blobs {
  /** Appends at `offset`, which must be the current size; durable when it resolves. Returns the new size. */
  append(name: string, offset: number, data: Uint8Array): Promise<number>
  size(name: string): Promise<number | undefined>
  read(name: string, from: number, to: number): AsyncIterable<Uint8Array>
  remove(name: string): Promise<void>
}
