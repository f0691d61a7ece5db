/** Counts the requests in flight, so that a stop can wait for them. */
export class RequestsInFlight {
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

  /** From now on `stopping` is true. Resolves when no request is in flight. */
  stop(): Promise<void> {
    this.#stopping = true
    if (this.#count === 0) return Promise.resolve()
    return new Promise((resolve) => {
      this.#idle = resolve
    })
  }
}
