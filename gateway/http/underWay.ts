/** Counts what is being worked on, so that a stop can wait for it. */
export class UnderWay {
  #count = 0
  #stopping = false
  #idle: (() => void) | undefined

  get stopping(): boolean {
    return this.#stopping
  }

  begin(): void {
    this.#count++
  }

  end(): void {
    this.#count--
    if (this.#count === 0) this.#idle?.()
  }

  /** No new work from now on; resolves when none is left. */
  stop(): Promise<void> {
    this.#stopping = true
    if (this.#count === 0) return Promise.resolve()
    return new Promise((resolve) => {
      this.#idle = resolve
    })
  }
}
