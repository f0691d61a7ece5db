/**
 * The least rate of a body that may take hours: so many bytes in each period. A total deadline would end a large body on a slow line, and a
 * body without any bound would keep a connection for one byte a minute.
 */
import type { Clock } from '../../actors/ports/clock.ts'

export interface MinimumRate {
  readonly bytes: number
  readonly periodMs: number
}

/** Calls back once, at the end of the first period with too few bytes. A period in which the receiver paused does not count. */
export class RateWatch {
  readonly #rate: MinimumRate
  readonly #clock: Clock
  readonly #onSlow: () => void
  #received = 0
  #hasPaused = false
  #cancel: () => void

  constructor(rate: MinimumRate, clock: Clock, onSlow: () => void) {
    this.#rate = rate
    this.#clock = clock
    this.#onSlow = onSlow
    this.#cancel = this.#begin()
  }

  add(bytes: number): void {
    this.#received += bytes
  }

  /** The receiver has paused the sender, so the sender is not slow. Call it again when the pause ends. */
  pause(): void {
    this.#hasPaused = true
  }

  end(): void {
    this.#cancel()
  }

  #begin(): () => void {
    this.#received = 0
    this.#hasPaused = false
    return this.#clock.after(this.#rate.periodMs, () => {
      if (!this.#isSlow) this.#cancel = this.#begin()
      // If this process was busy, bytes of this period may still be in the kernel. They are read before the next timer.
      else this.#cancel = this.#clock.after(1, () => this.#endPeriod())
    })
  }

  #endPeriod(): void {
    if (this.#isSlow) this.#onSlow()
    else this.#cancel = this.#begin()
  }

  get #isSlow(): boolean {
    return this.#received < this.#rate.bytes && !this.#hasPaused
  }
}
