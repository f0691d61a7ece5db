/**
 * Fair turns on an actor that several processes write. The process that committed last has the state in memory and goes on at
 * once. The others must load it first, so under load they would lose the fence again and again. So a process that has detected another
 * one commits for a bounded time in a row, and then leaves the actor alone for as long as another process needs for a transition.
 *
 * Times are milliseconds of the monotonic clock.
 */

/** For so long after the last sign of another process an actor counts as contended. */
const contendedMs = 1_000
/**
 * For so long a process may commit before it rests. A turn is a series of transitions without a loss, and without a pause in which another
 * process could have committed.
 */
const turnMs = 50
const shortestRestMs = 10
const longestRestMs = 100
/** A process sends a hint to the others at most this often, if it has lost. A process that never loses would not detect the contention. */
const announceEveryMs = 500
/** Another process may have just begun to load an outdated state when the rest begins, and then needs to load and commit twice. */
const loadsInRest = 2

export class Contention {
  #contendedUntil = Number.NEGATIVE_INFINITY
  #turnBegan: number | undefined
  #committedAt = Number.NEGATIVE_INFINITY
  #hasLost = false
  #announcedAt = Number.NEGATIVE_INFINITY
  /** How long this process last needed to load, and to commit. The other process is assumed to need the same. */
  #loadMs = 0
  #commitMs = 0

  /** Another process writes the actor, or tries to. */
  observeOther(now: number): void {
    this.#contendedUntil = now + contendedMs
  }

  /** Another process committed first. The next commit of this process begins a new turn. */
  recordLoss(now: number): void {
    this.observeOther(now)
    this.#turnBegan = undefined
    this.#hasLost = true
  }

  /** Whether to notify the other processes that this one has lost. If so, the loss counts as announced. */
  takeAnnouncement(now: number): boolean {
    if (!this.#hasLost || now - this.#announcedAt < announceEveryMs) return false
    this.#hasLost = false
    this.#announcedAt = now
    return true
  }

  recordLoad(ms: number): void {
    this.#loadMs = ms
  }

  recordCommit(began: number, now: number): void {
    if (now >= this.#contendedUntil) return
    this.#commitMs = now - began
    // A pause that was as long as a rest counts as a rest, so a new turn begins.
    if (began - this.#committedAt >= this.#neededMs) this.#turnBegan = undefined
    this.#turnBegan ??= began
    this.#committedAt = now
  }

  /**
   * Ends the turn if it has lasted long enough. Returns how long to rest before the next transition, 0 for not at all.
   * @param random 0 to 1: two processes must not rest at the same times
   */
  takeRestMs(now: number, random: () => number): number {
    if (this.#turnBegan === undefined || now >= this.#contendedUntil || now - this.#turnBegan < turnMs) return 0
    this.#turnBegan = undefined
    // It has rested already, since it received no messages.
    if (now - this.#committedAt >= this.#neededMs) return 0
    return Math.min(longestRestMs, this.#neededMs * (1 + random() / 2))
  }

  get #neededMs(): number {
    return Math.min(longestRestMs, Math.max(shortestRestMs, loadsInRest * (this.#loadMs + this.#commitMs)))
  }
}
