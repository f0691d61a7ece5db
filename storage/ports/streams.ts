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

/** The sequence of an append is greater than the next one, so entries in between are missing. */
export class StreamGap extends Error {
  override readonly name = 'StreamGap'
  readonly next: number
  constructor(next: number) {
    super(`the next sequence is ${next}`)
    this.next = next
  }
}

/** Append-only, sequenced from 0 without gaps, durable when `append` resolves. Concurrent appends are written in one batch. */
export interface Streams {
  /**
   * Returns the next sequence. Idempotent by sequence. The amount that waits to be written is bounded.
   * @throws StreamGap; Failure FAILED_PRECONDITION if the stream has ended, UNAVAILABLE if too much waits
   */
  append(append: Append): Promise<{ readonly next: number }>
  /** The stored entries above `after`, in order. */
  read(stream: string, after: number, limit: number): Promise<readonly StreamEntry[]>
  head(stream: string): Promise<{ readonly first: number; readonly next: number; readonly ended: boolean }>
}
