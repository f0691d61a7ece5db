/** Counts failed attempts in a row, and waits between them: exponential back-off with jitter, or as long as `Retry-After` asks. */
import { type BackOffPolicy, backOffMs } from '../../../spec/core/backOff.ts'
import { UploadFailure } from '../failures.ts'
import { sleep } from '../stop.ts'

export interface RetryPolicy {
  /** Failed attempts in a row after which an upload fails. */
  readonly most: number
  readonly backOff: BackOffPolicy
  /** A server that asks for a longer pause is not waited for. */
  readonly mostRetryAfterMs: number
}

/** Ten attempts take between 75 s and 150 s, if the server does not ask for longer pauses: a restart takes less. */
export const usualRetry: RetryPolicy = Object.freeze({
  most: 10,
  backOff: { firstMs: 1_000, factor: 2, mostMs: 30_000, jitter: 0.5 },
  mostRetryAfterMs: 15 * 60_000,
})

export interface FailedAttempt {
  /** A sentence. */
  readonly text: string
  readonly retryAfterMs?: number | undefined
}

export class Attempts {
  readonly #policy: RetryPolicy
  readonly #signal: AbortSignal
  readonly #print: (text: string) => void
  #failures = 0

  constructor(policy: RetryPolicy, signal: AbortSignal, print: (text: string) => void) {
    this.#policy = policy
    this.#signal = signal
    this.#print = print
  }

  /** The server has more bytes than before, so failures are counted from 0 again. */
  recordProgress(): void {
    this.#failures = 0
  }

  /**
   * Returns when the next attempt may begin.
   * @throws UploadFailure if there is none
   */
  async wait({ text, retryAfterMs = 0 }: FailedAttempt): Promise<void> {
    const { most, backOff, mostRetryAfterMs } = this.#policy
    this.#failures++
    if (this.#failures >= most)
      throw new UploadFailure(
        `${text} This was attempt ${this.#failures} of ${most}. Rerun the step when the server is reachable.`,
      )
    if (retryAfterMs > mostRetryAfterMs)
      throw new UploadFailure(
        `${text} The server asks to wait ${Math.ceil(retryAfterMs / 60_000)} minutes. The client waits at most ${mostRetryAfterMs / 60_000} minutes. Rerun the step later.`,
      )
    const waitMs = Math.max(backOffMs(backOff, this.#failures), retryAfterMs)
    this.#print(`${text} Attempt ${this.#failures + 1} of ${most} begins in ${(waitMs / 1_000).toFixed(1)} s.`)
    await sleep(waitMs, this.#signal)
  }
}
