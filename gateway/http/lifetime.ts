/** Of a request: until its answer is written whole, or its caller has gone. Few ask, so what tells them is made for those that do. */
export class Lifetime {
  #gone: AbortController | undefined
  #hasGone = false
  #isOver = false
  #whenOver: (() => void)[] | undefined

  /** The caller went away before the answer was written whole. */
  get gone(): boolean {
    return this.#hasGone
  }

  /** Aborted when the caller goes away. */
  get signal(): AbortSignal {
    if (this.#gone === undefined) {
      this.#gone = new AbortController()
      if (this.#hasGone) this.#gone.abort()
    }
    return this.#gone.signal
  }

  /** Calls back when it is over, either way. */
  onOver(callback: () => void): void {
    if (this.#isOver) callback()
    else {
      this.#whenOver ??= []
      this.#whenOver.push(callback)
    }
  }

  /** The caller has gone. */
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
