import type { StreamEntry } from '../../spec/core/actor.ts'

export interface Append {
  readonly stream: string
  /** The sequence of the first entry. Entries below the stream's next sequence are known and passed over. */
  readonly sequence: number
  readonly entries: readonly { readonly kind: string; readonly data: Uint8Array }[]
  readonly at: number
  /** No entry comes after these. */
  readonly end?: boolean
}

/** The sequence of an append is beyond the next one: something is missing in between. */
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
   * Answers the next sequence. Idempotent by sequence. What waits to be written is bounded.
   * @throws StreamGap; Failure FAILED_PRECONDITION where the stream has ended, UNAVAILABLE where too much waits
   */
  append(append: Append): Promise<{ readonly next: number }>
  /** What is stored above `after`, in order. */
  read(stream: string, after: number, limit: number): Promise<readonly StreamEntry[]>
  head(stream: string): Promise<{ readonly first: number; readonly next: number; readonly ended: boolean }>
}
