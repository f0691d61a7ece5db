import type { StreamEntry } from '../../spec/core/actor.ts'

export interface Append {
  readonly stream: string
  /** The sequence of the first entry. Entries below the stream's next sequence are already stored and are skipped. */
  readonly sequence: number
  readonly entries: readonly { readonly kind: string; readonly data: Uint8Array }[]
  readonly at: number
  /** No entry comes after these. */
  readonly end?: boolean
}

/** The append begins above the stream's next sequence, so entries are missing in between. */
export class StreamGap extends Error {
  override readonly name = 'StreamGap'
  readonly next: number
  constructor(next: number) {
    super(`entries are missing: the stream continues at ${next}`)
    this.next = next
  }
}

/** Append-only, sequenced from 0 without gaps, durable when `append` resolves. Concurrent appends are written in one batch. */
export interface Streams {
  /**
   * Returns the next sequence. Entries that are already stored are skipped, so a repeat is safe. The amount of data that waits is
   * bounded.
   * @throws StreamGap; Failure FAILED_PRECONDITION if the stream has ended, UNAVAILABLE if too much waits
   */
  append(append: Append): Promise<{ readonly next: number }>
  /** The stored entries above `after`, in order. -1 reads from the start. */
  read(stream: string, after: number, limit: number): Promise<readonly StreamEntry[]>
  /**
   * The lowest stored sequence, the sequence of the next entry, and whether the stream has ended. They are 0, 0 and false before the
   * first append.
   */
  head(stream: string): Promise<{ readonly first: number; readonly next: number; readonly ended: boolean }>
}
