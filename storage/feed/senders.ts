/**
 * The other processes as their messages show them: whether one was lost, and until when each is known to have announced what it
 * committed.
 */
import type { MessageHead } from './hints.ts'

interface Sender {
  /** The number of its last message; undefined after the listener was replaced, when any number may be next. */
  n: number | undefined
  /** When its last message with hints was received, on this process's monotonic clock. */
  confirmedAt: number
}

export class Senders {
  readonly #byOwner = new Map<string, Sender>()

  get size(): number {
    return this.#byOwner.size
  }

  /** Takes note of a message. Returns whether something may have been missed before it. */
  receive({ from, n, ...head }: MessageHead, now: number): boolean {
    const quiet = head.quiet === true
    const known = this.#byOwner.get(from)
    if (known === undefined) {
      this.#byOwner.set(from, { n, confirmedAt: now })
      // Until now that process did not know of us, or we had given it up.
      return !quiet
    }
    // Sent over a connection that the sender has replaced since.
    if (known.n !== undefined && n <= known.n) return false
    const hasGap = known.n !== undefined && n > known.n + 1
    known.n = n
    if (!quiet) known.confirmedAt = now
    return hasGap || head.skipped === true
  }

  remove(owner: string): void {
    this.#byOwner.delete(owner)
  }

  /** Drops those that are silent since `since` and not among the living. Returns whether there were any. */
  removeDead(since: number, living: ReadonlySet<string>): boolean {
    const dead = [...this.#byOwner].filter(([owner, { confirmedAt }]) => confirmedAt < since && !living.has(owner))
    for (const [owner] of dead) this.#byOwner.delete(owner)
    return dead.length > 0
  }

  /** The connection that listens is a new one: messages in between were not received, and the caller notifies all listeners. */
  restartNumbers(): void {
    for (const sender of this.#byOwner.values()) sender.n = undefined
  }

  /** The earliest of the times of their last messages; `Infinity` if there are none. */
  confirmedUntil(): number {
    let earliest = Number.POSITIVE_INFINITY
    for (const { confirmedAt } of this.#byOwner.values()) earliest = Math.min(earliest, confirmedAt)
    return earliest
  }
}
