/** How a signal ends the work. */
import { setTimeout as wait } from 'node:timers/promises'
import { Stopped } from './failures.ts'

/**
 * GitHub sends SIGINT to a canceled step, SIGTERM after 7.5 s, and kills it 2.5 s later. Everything that is done after a signal ends
 * before the second one.
 */
export const cleanUpMs = 6_500
/** The time for the answer to a request that was sent before the signal, and whose answer has the ID that is to be deleted. */
export const lastAnswerMs = 2_000

export interface StopSignals {
  /** Aborted when the signal arrives. Work ends at once. */
  readonly now: AbortSignal
  /** Aborted `lastAnswerMs` later. */
  readonly late: AbortSignal
}

export class StopSource implements StopSignals {
  readonly #now = new AbortController()
  readonly #late = new AbortController()
  readonly now = this.#now.signal
  readonly late = this.#late.signal

  stop(): void {
    if (this.now.aborted) return
    this.#now.abort(new Stopped('The upload was stopped.'))
    setTimeout(() => this.#late.abort(this.now.reason), lastAnswerMs).unref()
  }
}

/** @throws Stopped if the signal is or becomes aborted */
export async function sleep(ms: number, signal: AbortSignal): Promise<void> {
  signal.throwIfAborted()
  try {
    await wait(ms, undefined, { signal })
  } catch {
    signal.throwIfAborted()
  }
}
