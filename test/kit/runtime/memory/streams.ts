import type { StreamEntry } from '../../../../spec/core/actor.ts'
import { Failure } from '../../../../spec/core/failure.ts'
import { type Append, StreamGap, type Streams } from '../../../../storage/ports/streams.ts'
import { absentHead, admit, type Head } from '../../../../storage/streams/admit.ts'
import type { MemoryState } from './state.ts'

export class MemoryStreams implements Streams {
  readonly #state: MemoryState

  constructor(state: MemoryState) {
    this.#state = state
  }

  async append(append: Append): Promise<{ readonly next: number }> {
    const stream = this.#state.streams.get(append.stream) ?? { head: absentHead, entries: [] }
    const answer = admit(stream.head, append)
    if (answer.type === 'gap') throw new StreamGap(answer.next)
    if (answer.type === 'ended') throw new Failure('FAILED_PRECONDITION', 'The stream has ended.')
    stream.head = answer.head
    // Copied, since the caller may use its memory again.
    stream.entries.push(...answer.entries.map((entry) => ({ ...entry, data: new Uint8Array(entry.data) })))
    if (answer.head.exists) this.#state.streams.set(append.stream, stream)
    return { next: answer.head.next }
  }

  async read(stream: string, after: number, limit: number): Promise<readonly StreamEntry[]> {
    const entries = this.#state.streams.get(stream)?.entries ?? []
    return entries.filter(({ sequence }) => sequence > after).slice(0, limit)
  }

  async head(stream: string): Promise<Head> {
    return this.#state.streams.get(stream)?.head ?? absentHead
  }
}
