import type { StreamEntry } from '../../spec/core/actor.ts'
import type { Feed } from '../ports/feed.ts'
import type { Streams } from '../ports/streams.ts'

/** Streams whose subscribers are notified of every append as soon as it is durable. */
export function publishedStreams(streams: Streams, feed: Feed): Streams {
  return {
    read: (stream, after, limit) => streams.read(stream, after, limit),
    head: (stream) => streams.head(stream),
    async append(append) {
      const answer = await streams.append(append)
      const { stream, sequence, at, end = false } = append
      // A repeat is published again; followers know what they have by its sequence.
      const entries = append.entries.map((entry, index): StreamEntry => ({ sequence: sequence + index, at, ...entry }))
      feed.publishStream({ stream, entries, ended: end })
      return answer
    },
  }
}
