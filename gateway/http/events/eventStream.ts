/**
 * One response with server-sent events. Events that the network does not accept wait in a queue with a limit, so a slow reader never makes
 * the memory grow: a sender that may stop must stop when `full` is true. A comment is sent if nothing else was sent for 15 s.
 */
import type { Clock } from '../../../actors/ports/clock.ts'
import type { Failure } from '../../../spec/core/failure.ts'
import { type OutMessage, SendQueue, type Wire } from '../../websocket/sendQueue.ts'
import { endChunked } from '../answer.ts'
import { restError } from '../failures.ts'
import type { UwsResponse } from '../uws.ts'
import type { EventSink } from './eventFeed.ts'
import { eventText, keepAliveComment, retryText, type ServerSentEvent } from './eventText.ts'

export interface EventStreamOptions {
  /** Bytes that may wait to be sent. */
  readonly limit: number
  readonly clock: Clock
  readonly requestId: string
}

const keepAliveMs = 15_000
/** The time after which a client reconnects. */
const retryMs = 1_000
/** How long the last events of a stream that has ended may take to be sent. Then the connection is closed. */
const farewellMs = 10_000

export class EventStream implements EventSink, Wire {
  readonly #res: UwsResponse
  readonly #options: EventStreamOptions
  readonly #queue: SendQueue
  readonly #ended = Promise.withResolvers<void>()
  readonly #over = Promise.withResolvers<void>()
  #isOver = false
  /** The last event was pushed. */
  #hasEnded = false
  /** Messages in the queue. */
  #waiting = 0
  /** The ID of the last event that was pushed. All events up to it are sent before an error event. */
  #lastId: string | undefined
  #isQuiet = true
  #cancelTimer = (): void => {}

  /** @param res its head is written, and its `onAborted` calls `leave` */
  constructor(res: UwsResponse, options: EventStreamOptions) {
    this.#res = res
    this.#options = options
    this.#queue = new SendQueue(this, options.limit)
    res.onWritable(() => {
      if (!this.#isOver) this.#queue.drained()
      return true
    })
    this.#write(retryText(retryMs))
    this.#keepAlive()
  }

  /** Resolves when the last event was pushed, or the caller has disconnected. Further events are ignored. */
  get ended(): Promise<void> {
    return this.#ended.promise
  }

  get hasEnded(): boolean {
    return this.#hasEnded || this.#isOver
  }

  /** Resolves when everything is sent, or the caller has disconnected. */
  get over(): Promise<void> {
    return this.#over.promise
  }

  get full(): boolean {
    return this.#queue.full
  }

  room(): Promise<void> {
    return this.#queue.room()
  }

  push(event: ServerSentEvent): void {
    if (this.hasEnded) return
    this.#lastId = event.id ?? this.#lastId
    this.#write(eventText(event))
  }

  end(id: string | undefined): void {
    this.#finish({ ...(id === undefined ? {} : { id }), event: 'end', data: {} })
  }

  fail(failure: Failure): void {
    const error = restError(failure, this.#options.requestId)
    this.#finish({ event: 'error', data: { error: { ...error, lastEventId: this.#lastId ?? null } } })
  }

  /** The caller has disconnected. */
  leave(): void {
    if (this.#isOver) return
    this.#isOver = true
    this.#cancelTimer()
    this.#queue.close()
    this.#ended.resolve()
    this.#over.resolve()
  }

  send(message: OutMessage): boolean {
    this.#waiting--
    return this.#res.write(typeof message === 'string' ? message : Buffer.concat([message.head, message.body]))
  }

  cork(work: () => void): void {
    this.#res.cork(() => {
      work()
      if (this.#hasEnded && this.#waiting === 0) endChunked(this.#res)
    })
    if (this.#hasEnded && this.#waiting === 0) this.leave()
  }

  #write(text: string): void {
    this.#isQuiet = false
    this.#waiting++
    this.#queue.push(text)
  }

  #finish(last: ServerSentEvent): void {
    if (this.hasEnded) return
    this.#hasEnded = true
    this.#ended.resolve()
    this.#write(eventText(last))
    this.#cancelTimer()
    this.#cancelTimer = this.#options.clock.after(farewellMs, () => {
      if (!this.#isOver) this.#res.close()
    })
  }

  #keepAlive(): void {
    this.#cancelTimer = this.#options.clock.after(keepAliveMs, () => {
      // While events wait, the connection is known to be in use.
      if (this.#isQuiet && this.#waiting === 0) this.#write(keepAliveComment)
      this.#isQuiet = true
      this.#keepAlive()
    })
  }
}
