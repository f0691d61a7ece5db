/**
 * Detects that this process had no processor for a time. Then the program had probably none either, so for a moment it takes its
 * database for unavailable.
 */
const tickMs = 100
const stalledMs = 400
/** The time in which the program recovers, and in which its late answers and log lines arrive. */
const echoMs = 3_000

export class MachineStalls {
  #lastTickAt = performance.now()
  #lastStallAt = Number.NEGATIVE_INFINITY
  readonly #timer = setInterval(() => this.#look(), tickMs)

  /** Whether there is a stall, or was one a moment ago. */
  get isRecent(): boolean {
    this.#look()
    return this.#lastTickAt - this.#lastStallAt < echoMs
  }

  end(): void {
    clearInterval(this.#timer)
  }

  #look(): void {
    const now = performance.now()
    if (now - this.#lastTickAt > tickMs + stalledMs) this.#lastStallAt = now
    this.#lastTickAt = now
  }
}
