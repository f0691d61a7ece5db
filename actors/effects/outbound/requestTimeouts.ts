import { OutboundFailed } from '../../../spec/core/outboundFailed.ts'
import type { Clock } from '../../ports/clock.ts'

/** The longest time that a timer accepts. A longer time-out is treated as none. */
const longestMs = 2 ** 31 - 1

/** The signals that end one request early: the caller's signal, or the first of its time-outs. */
export class RequestTimeouts {
  /** Its reason is the caller's, or an `OutboundFailed`. */
  readonly signal: AbortSignal
  readonly #late = new AbortController()
  readonly #clock: Clock
  readonly #running = new Set<() => void>()

  constructor(clock: Clock, signal: AbortSignal | null | undefined) {
    this.#clock = clock
    this.signal = signal ? AbortSignal.any([signal, this.#late.signal]) : this.#late.signal
  }

  /** @param what did not happen, for example "mcp.example did not answer" @returns a function that ends this time-out */
  start(what: string, ms: number): () => void {
    if (ms > longestMs) return () => {}
    const late = new OutboundFailed('TIMED_OUT', `${what} within ${ms} ms.`)
    const cancel = this.#clock.after(ms, () => this.#late.abort(late))
    const stop = () => {
      cancel()
      this.#running.delete(stop)
    }
    this.#running.add(stop)
    return stop
  }

  /** For work that cannot be ended itself, such as a DNS lookup. */
  async race<T>(work: () => Promise<T>): Promise<T> {
    const { signal } = this
    signal.throwIfAborted()
    const ended = Promise.withResolvers<never>()
    const end = () => ended.reject(signal.reason)
    signal.addEventListener('abort', end, { once: true })
    try {
      return await Promise.race([work(), ended.promise])
    } finally {
      signal.removeEventListener('abort', end)
    }
  }

  /** Ends all time-outs. Call it when the request is done or has failed. */
  close(): void {
    for (const stop of this.#running) stop()
  }
}
