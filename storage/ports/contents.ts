/** The large contents of actors. */
export interface ContentReader {
  /** The pieces in their order; none if there is no content. */
  read(owner: string): AsyncIterable<Uint8Array>
}
