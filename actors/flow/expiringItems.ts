/** A timer that fires so much too late, milliseconds, shows that this process did not run: it was suspended or blocked. */
const suspendedMs = 500

/** Data that arrived while the process was suspended is read within this time, milliseconds. */
const graceMs = 500

/**
 * Items that must be removed within a fixed time after they were added. One timer serves all of them, since the oldest is always
 * the next to expire. After this process was suspended, what has arrived meanwhile is read before anything expires.
 */
export class ExpiringItems<T extends object> {
  readonly #items = new Map<T, number>()
  readonly #ms: number
  readonly #expired: (item: T) => void
  #timer: NodeJS.Timeout | undefined

  /** @param expired called with the oldest item, which it has to remove */
  constructor(ms: number, expired: (item: T) => void) {
    this.#ms = ms
    this.#expired = expired
  }

  get size(): number {
    return this.#items.size
  }

  add(item: T): void {
    this.#items.set(item, performance.now() + this.#ms)
    if (this.#timer === undefined) this.#wait(this.#ms)
  }

  /** False if it was not there. */
  delete(item: T): boolean {
    return this.#items.delete(item)
  }

  oldest(): T | undefined {
    return this.#items.keys().next().value
  }

  /** Removes and returns all items, oldest first. */
  takeAll(): readonly T[] {
    const all = [...this.#items.keys()]
    this.#items.clear()
    clearTimeout(this.#timer)
    this.#timer = undefined
    return all
  }

  #wait(ms: number): void {
    const due = performance.now() + ms
    this.#timer = setTimeout(() => this.#check(performance.now() - due), ms)
    this.#timer.unref()
  }

  #check(lateMs: number): void {
    this.#timer = undefined
    const now = performance.now()
    if (lateMs > suspendedMs) {
      for (const [item, deadline] of this.#items) this.#items.set(item, Math.max(deadline, now + graceMs))
    }
    for (const [item, deadline] of this.#items) {
      if (deadline > now) {
        this.#wait(deadline - now)
        return
      }
      this.#expired(item)
    }
  }
}
