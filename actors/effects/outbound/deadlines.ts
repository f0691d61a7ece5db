import { OutboundFailed } from '../../../spec/core/outboundFailed.ts'
import type { Clock } from '../../ports/clock.ts'

/** A timer takes no longer time; one past it counts as none. */
const longestMs = 2 ** 31 - 1

/** What ends one request before its time: its caller's signal, or the first of its time-outs. */
export class Deadlines {
  /** Its reason is the caller's, or an `OutboundFailed`. */
  readonly signal: AbortSignal
  readonly #late = new AbortController()
  readonly #clock: Clock
  readonly #running = new Set<() => void>()

  constructor(clock: Clock, signal: AbortSignal | null | undefined) {
    this.#clock = clock
    this.signal = signal ? AbortSignal.any([signal, this.#late.signal]) : this.#late.signal
  }

  /** @param what has not happened, for example "mcp.example did not answer"; @returns the end of this one */
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

  /** For what can't be ended itself, as a look-up. */
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

  /** All is done, or has failed: no timer is left. */
  close(): void {
    for (const stop of this.#running) stop()
  }
}
