/**
 * The body of one request, read with a limit as it arrives. Until a handler reads it, a few KiB are held and the rest waits in the
 * network, so that an unauthenticated caller cannot fill memory.
 */
import type { Clock } from '../../actors/ports/clock.ts'
import { Failure } from '../../spec/core/failure.ts'
import { copyChunk, joinChunks, releaseChunk } from './chunkMemory.ts'
import { type MinimumRate, RateWatch } from './minimumRate.ts'

/** The caller disconnected or was too slow. No response is sent. */
export class BodyAborted extends Error {
  override readonly name = 'BodyAborted'
}

/**
 * A rejected body is received and discarded before the response, up to this size and this time: many clients read a response only after
 * they have sent the body, and a connection that is closed while they send loses it. If no more of it arrives, the response comes sooner.
 */
const swallowBytes = 64 * 1024 * 1024
const swallowMs = 10_000
const swallowIdleMs = 1_000
/**
 * A streamed body is received so far ahead of its reader. Then the connection is paused, and what the kernel has already received still
 * arrives: usually up to 4 MiB, at most the largest receive buffer of the system (`net.ipv4.tcp_rmem`).
 */
const aheadBytes = 1024 * 1024
/**
 * uWebSockets.js closes a connection on which less than 160 KB arrive in 10 s, whether it was paused or not. So if the reader of a stream
 * stalls, more is received after this time, ms, up to a bound.
 */
const longestPauseMs = 5_000
const mostAheadBytes = 16 * 1024 * 1024

/**
 * uWebSockets.js reads on from a paused connection as long as each read fills its buffer: while the sender is faster than this process, and no
 * handler runs meanwhile. Beyond this, the body is refused. An agent sends at most 32 MiB in one request.
 */
const mostUnreadBytes = 64 * 1024 * 1024

/** The connection of a request, as uWebSockets.js has it. */
interface BodyConnection {
  onData(handler: (chunk: ArrayBuffer, isLast: boolean) => void): unknown
  pause(): unknown
  resume(): unknown
}

export interface BodyOptions {
  /** From `content-length`. Undefined if the body is chunked. */
  readonly declared: number | undefined
  readonly present: boolean
  readonly holdBytes: number
  /** Milliseconds from the end of the request head to the end of its body. */
  readonly withinMs: number
  readonly clock: Clock
}

/** Takes the bytes of a body when they arrive. */
export interface BodySink {
  /** Copies the bytes: their memory is used again after the call. Returns how many bytes the sink holds that it has not passed on. */
  take(chunk: Uint8Array): number
  /** If the sink holds more, the connection is paused until `resume`. Bytes that the kernel has received already still arrive. */
  readonly pauseAbove: number
  /** If it holds more, because bytes arrive although the connection is paused, the body is ended. */
  readonly refuseAbove: number
}

export class Body {
  readonly #res: BodyConnection
  readonly #options: BodyOptions
  #chunks: Uint8Array[] = []
  #size = 0
  #ended = false
  #paused = false
  /** The response is written, or the caller has disconnected. From now on uWebSockets.js throws on every call on the response. */
  #released = false
  #aborted = false
  #limit: number | undefined
  #refusal: Failure | undefined
  /** The refusal can be returned now: nothing more is swallowed. */
  #finished = false
  /** The bytes of `#chunks`, while the body is streamed. */
  #ahead: number | undefined
  #settle: { resolve(body: Buffer): void; reject(error: unknown): void } | undefined
  #sink: BodySink | undefined
  #rate: RateWatch | undefined
  #cancelTimer: () => void = () => {}
  #cancelPause: () => void = () => {}

  constructor(res: BodyConnection, options: BodyOptions) {
    this.#res = res
    this.#options = options
    this.#ended = !options.present
    if (options.present) {
      res.onData((chunk, isLast) => this.#receive(chunk, isLast))
      this.#expectWithin(options.withinMs)
    }
  }

  #expectWithin(ms: number): void {
    this.#cancelTimer()
    this.#cancelTimer = this.#options.clock.after(ms, () => {
      this.#refuse(tooSlow())
    })
  }

  /** Whether the request has a body. An announced body may still be empty. */
  get isPresent(): boolean {
    return this.#options.present
  }

  /** Bytes received. */
  get size(): number {
    return this.#size
  }

  /** @throws Failure PAYLOAD_TOO_LARGE over `limit` bytes; BodyAborted */
  read(limit: number): Promise<Buffer> {
    return new Promise((resolve, reject) => {
      if (this.#aborted) return reject(new BodyAborted('the caller went away'))
      this.#settle = { resolve, reject }
      this.#limit = limit
      const { declared } = this.#options
      if (this.#size > limit || (declared !== undefined && declared > limit)) this.#overflow(limit)
      if (this.#ended || this.#finished) this.#finish()
      else this.#resume()
    })
  }

  /**
   * The body as it arrives, at the speed of its reader. Usually 1 to 5 MiB are held, at most `mostAheadBytes` and a
   * receive buffer of the system. Used instead of `read`, once.
   *
   * @param withinMs the time within which the body must have come, from now on. It replaces the one of other bodies
   * @throws Failure PAYLOAD_TOO_LARGE over `limit` bytes, BAD_USER_INPUT after that time; BodyAborted
   */
  async *stream(limit: number, withinMs: number): AsyncGenerator<Buffer, void> {
    this.#limit = limit
    this.#ahead = this.#size
    if (!this.#ended) this.#expectWithin(withinMs)
    const { declared } = this.#options
    if (this.#size > limit || (declared !== undefined && declared > limit)) this.#overflow(limit)
    for (;;) {
      if (this.#aborted) throw new BodyAborted('the caller went away')
      const chunk = this.#refusal ? undefined : this.#chunks.shift()
      if (chunk !== undefined) {
        this.#ahead -= chunk.length
        yield joinChunks([chunk])
      } else if (this.#refusal && this.#finished) throw this.#refusal
      else if (this.#ended && !this.#refusal) return
      else {
        this.#resume()
        await this.#next()
      }
    }
  }

  /**
   * Passes the body on to a sink as it arrives. When the promise settles, the sink has every byte that was received, also if the caller
   * disconnected. Used instead of `read`, once.
   *
   * @param minimum the rate below which the body is ended. It replaces the time of other bodies
   * @throws Failure PAYLOAD_TOO_LARGE over `limit` bytes, BAD_USER_INPUT (408) if it is too slow, UNAVAILABLE if it is too
   * fast for the sink, the failure of `stop`; BodyAborted
   */
  async receive(sink: BodySink, limit: number, minimum: MinimumRate): Promise<void> {
    const { clock, declared } = this.#options
    this.#limit = limit
    this.#cancelTimer()
    const held = this.#chunks.splice(0)
    if (declared !== undefined && declared > limit) this.#overflow(limit)
    else
      for (const chunk of held) {
        sink.take(chunk)
        releaseChunk(chunk)
      }
    this.#sink = sink
    try {
      if (this.#aborted) throw new BodyAborted('the caller went away')
      if (this.#ended && this.#refusal === undefined) return
      this.#rate = new RateWatch(minimum, clock, () => this.stop(tooSlow()))
      await new Promise<Buffer>((resolve, reject) => {
        this.#settle = { resolve, reject }
        if (this.#finished) this.#finish()
        else this.resume()
      })
    } finally {
      this.#rate?.end()
    }
  }

  /** Ends the body that is being received: its sink gets no more bytes, and `receive` throws the failure. */
  stop(failure: Failure): void {
    this.#refuse(failure)
  }

  /** Continues after the sink was too full. */
  resume(): void {
    if (this.#aborted || this.#released) return
    if (this.#paused) this.#rate?.pause()
    this.#resume()
  }

  /** Whether the sender may still send so much that the connection should rather be closed. */
  get hasLongRest(): boolean {
    if (this.#ended) return false
    const { declared } = this.#options
    return declared === undefined ? this.#sink !== undefined : declared - this.#size > swallowBytes
  }

  /** Resolves when something has arrived. */
  async #next(): Promise<void> {
    await new Promise((resolve, reject) => {
      this.#settle = { resolve, reject }
      if (this.#refusal && this.#ended) this.#finish()
    })
  }

  /**
   * Called before the response is written. The rest of the body is received and discarded. Otherwise uWebSockets.js resets the
   * connection's next request.
   */
  release(): void {
    this.#resume()
    this.#released = true
    this.#cancelTimer()
    this.#chunks = []
  }

  #resume(): void {
    if (!this.#paused) return
    this.#paused = false
    this.#cancelPause()
    if (!this.#released) this.#res.resume()
  }

  abort(): void {
    this.#aborted = true
    this.#released = true
    this.#cancelTimer()
    this.#cancelPause()
    this.#chunks = []
    this.#settle?.reject(new BodyAborted('the caller went away'))
    this.#settle = undefined
  }

  #receive(chunk: ArrayBuffer, isLast: boolean): void {
    if (this.#released) return
    this.#size += chunk.byteLength
    if (this.#limit !== undefined && this.#size > this.#limit) this.#overflow(this.#limit)
    if (this.#sink !== undefined && this.#refusal === undefined) this.#pass(this.#sink, chunk)
    else if (this.#refusal === undefined && chunk.byteLength > 0) this.#hold(chunk)
    if (isLast) {
      this.#ended = true
      this.#cancelTimer()
      this.#finish()
    } else if (this.#refusal !== undefined) {
      if (this.#size > swallowBytes) this.#finish()
      else this.#expectMore()
    } else if (this.#sink !== undefined) {
      if ((this.#ahead ?? 0) > this.#sink.refuseAbove) this.#refuse(tooFast())
      else if ((this.#ahead ?? 0) > this.#sink.pauseAbove) this.#pause()
    } else if (this.#ahead !== undefined) {
      this.#ahead += chunk.byteLength
      this.#wake()
      if (this.#ahead > aheadBytes) this.#pause()
    } else if (this.#limit === undefined && this.#size >= this.#options.holdBytes) this.#pause()
  }

  /** uWebSockets.js reuses the chunk's memory after this function returns, so it is copied. */
  #hold(chunk: ArrayBuffer): void {
    const isUnread = this.#limit === undefined
    if (isUnread && this.#size > mostUnreadBytes) this.#refuse(tooFast())
    else this.#chunks.push(copyChunk(chunk))
  }

  #pass(sink: BodySink, chunk: ArrayBuffer): void {
    this.#rate?.add(chunk.byteLength)
    this.#ahead = sink.take(new Uint8Array(chunk))
  }

  #pause(): void {
    if (this.#paused) return
    this.#paused = true
    this.#rate?.pause()
    this.#res.pause()
    if (this.#ahead !== undefined && this.#ahead < mostAheadBytes + (this.#sink?.pauseAbove ?? 0))
      this.#cancelPause = this.#options.clock.after(longestPauseMs, () => this.#resume())
  }

  /** Lets the reader of the stream continue. */
  #wake(): void {
    this.#settle?.resolve(Buffer.alloc(0))
    this.#settle = undefined
  }

  #overflow(limit: number): void {
    if (this.#refusal) return
    this.#refusal = new Failure('PAYLOAD_TOO_LARGE', `The body may have at most ${limit} bytes.`, {
      details: { limit },
    })
    this.#chunks = []
    const { declared } = this.#options
    if (declared !== undefined && declared > swallowBytes) this.#finish()
    else {
      this.#options.clock.after(swallowMs, () => this.#finish())
      this.#expectMore()
    }
  }

  /** Replaces the time within which the body must have come. */
  #expectMore(): void {
    this.#cancelTimer()
    this.#cancelTimer = this.#options.clock.after(swallowIdleMs, () => this.#finish())
  }

  #refuse(failure: Failure): void {
    this.#refusal ??= failure
    this.#chunks = []
    this.#finish()
  }

  #finish(): void {
    this.#finished = true
    const settle = this.#settle
    if (!settle) return
    this.#settle = undefined
    this.#cancelTimer()
    if (this.#refusal) settle.reject(this.#refusal)
    // The reader of a stream takes the chunks itself, and a sink has them.
    else if (this.#ahead !== undefined || this.#sink !== undefined) return void settle.resolve(Buffer.alloc(0))
    else settle.resolve(joinChunks(this.#chunks))
    this.#chunks = []
  }
}

function tooSlow(): Failure {
  return new Failure('BAD_USER_INPUT', 'The body came too slowly.', { details: { timeout: true } })
}

function tooFast(): Failure {
  return new Failure(
    'UNAVAILABLE',
    'The body came faster than it can be stored. Continue with the bytes that are missing.',
    {
      retryAfterMs: 1_000,
    },
  )
}
