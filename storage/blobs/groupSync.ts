/**
 * Syncs a file for several writers at once: a call during a sync joins the next one, which all calls of that time share. A sync takes about as
 * long for one piece as for three.
 */
export class GroupSync {
  #running: Promise<void> | undefined
  #next: Promise<void> | undefined

  /** @param sync makes all bytes of the file durable that were written before it was called */
  run(sync: () => Promise<void>): Promise<void> {
    if (this.#running === undefined) return this.#start(sync)
    this.#next ??= this.#running
      .catch(() => {})
      .then(() => {
        this.#next = undefined
        return this.#start(sync)
      })
    return this.#next
  }

  get isIdle(): boolean {
    return this.#running === undefined && this.#next === undefined
  }

  #start(sync: () => Promise<void>): Promise<void> {
    const running = sync().finally(() => {
      if (this.#running === running) this.#running = undefined
    })
    this.#running = running
    return running
  }
}
