/** The source of the events of a stream, and the stream as the source uses it. */
import type { Failure } from '../../../spec/core/failure.ts'
import type { ServerSentEvent } from './eventText.ts'

export interface EventSink {
  /** More events wait than the limit allows. A source that may not lose events must end the stream. */
  readonly full: boolean
  /** The last event was pushed, or the caller has disconnected. Further events are ignored. */
  readonly hasEnded: boolean
  /** Resolves when at most half of the limit is waiting, or the stream is over. */
  room(): Promise<void>
  push(event: ServerSentEvent): void
  /** The stream is complete. Its last event is `end`. @param id the ID after which nothing follows */
  end(id: string | undefined): void
  /** Ends the stream with the event `error`, which names the last ID. */
  fail(failure: Failure): void
}

/** Starts to push events. Returns a function that stops it. */
export type EventFeed = (sink: EventSink) => () => void
