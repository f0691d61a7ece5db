/**
 * The lifetime of a request: until its response is written in full, or its caller has disconnected. Few handlers use it, so its parts
 * are created on demand.
 */
export class Lifetime {
  #gone: AbortController | undefined
  #hasGone = false
  #isOver = false
  #whenOver: (() => void)[] | undefined

  /** The caller disconnected before the response was written in full. */
  get gone(): boolean {
    return this.#hasGone
  }

  /** Aborted when the caller disconnects. */
  get signal(): AbortSignal {
    if (this.#gone === undefined) {
      this.#gone = new AbortController()
      if (this.#hasGone) this.#gone.abort()
    }
    return this.#gone.signal
  }

  /** Calls back when the lifetime is over, in either case. */
  onOver(callback: () => void): void {
    if (this.#isOver) callback()
    else {
      this.#whenOver ??= []
      this.#whenOver.push(callback)
    }
  }

  /** The caller has disconnected. */
  leave(): void {
    this.#hasGone = true
    this.#gone?.abort()
  }

  end(): void {
    this.#isOver = true
    for (const callback of this.#whenOver ?? []) callback()
    this.#whenOver = undefined
  }
}
