/** The two time limits of work that has to wait before it can start. Both are counted from when it began to wait. */
import { ExpiringItems } from './expiringItems.ts'

export interface QueueLimits {
  /** Milliseconds within which it has to start. */
  readonly startWithinMs: number
  /** Milliseconds within which it has to end. If they are fewer, it has to start within them. */
  readonly endWithinMs: number
}

/** The items are in the order in which they were added. */
export class QueueDeadlines<T extends object> {
  readonly #waiting: ExpiringItems<T>
  readonly #unended: ExpiringItems<T>

  /** @param expired called once for an item that is late, which was removed before */
  constructor({ startWithinMs, endWithinMs }: QueueLimits, expired: (item: T, limit: keyof QueueLimits) => void) {
    this.#waiting = new ExpiringItems(Math.min(startWithinMs, endWithinMs), (item) => {
      this.end(item)
      expired(item, 'startWithinMs')
    })
    this.#unended = new ExpiringItems(endWithinMs, (item) => {
      const isWaiting = this.#waiting.delete(item)
      this.#unended.delete(item)
      expired(item, isWaiting ? 'startWithinMs' : 'endWithinMs')
    })
  }

  /** Items that have not started. */
  get waiting(): number {
    return this.#waiting.size
  }

  add(item: T): void {
    this.#waiting.add(item)
    this.#unended.add(item)
  }

  /** Returns the item that has waited longest, which starts now. It still has to end in time. */
  startOldest(): T | undefined {
    const oldest = this.#waiting.oldest()
    if (oldest !== undefined) this.#waiting.delete(oldest)
    return oldest
  }

  start(item: T): void {
    this.#waiting.delete(item)
  }

  end(item: T): void {
    this.#waiting.delete(item)
    this.#unended.delete(item)
  }

  /** Removes and returns all items that have not started. */
  takeWaiting(): readonly T[] {
    const items = this.#waiting.takeAll()
    for (const item of items) this.#unended.delete(item)
    return items
  }
}
