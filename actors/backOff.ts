/**
 * Back-off for things that keep failing, by ID: when each may be tried again, and whether its failure is due for another log line.
 * Kept in memory and bounded: beyond `limit` the oldest entry is dropped. If that one fails again, it gets the shortest pause.
 */
import type { Clock } from './ports/clock.ts'

const pauses: Pauses = { firstMs: 1_000, longestMs: 10 * 60_000 }
const reportEveryMs = 60_000
const overdueMs = 60_000
const limit = 10_000

interface Failing {
  readonly attempts: number
  /** Milliseconds since 1970, both. */
  readonly retryAt: number
  readonly reportedAt: number
}

export interface FailedAttempt {
  readonly attempts: number
  /** When it is tried next, milliseconds since 1970. */
  readonly retryAt: number
  /** At most once a minute for each ID: whether this failure is to be logged. */
  readonly isReported: boolean
}

export class BackOff {
  readonly #clock: Clock
  readonly #failing = new Map<string, Failing>()

  constructor(clock: Clock) {
    this.#clock = clock
  }

  get size(): number {
    return this.#failing.size
  }

  /** Whether its pause is not over. */
  isPaused(id: string): boolean {
    const failing = this.#failing.get(id)
    return failing !== undefined && this.#clock.now() < failing.retryAt
  }

  /** It failed. During its pause that changes nothing: it was not the next attempt. */
  fail(id: string): FailedAttempt {
    const now = this.#clock.now()
    const before = this.#failing.get(id)
    const isReported = before === undefined || now >= before.reportedAt + reportEveryMs
    const reportedAt = isReported ? now : before.reportedAt
    const isPaused = before !== undefined && now < before.retryAt
    const attempts = isPaused ? before.attempts : (before?.attempts ?? 0) + 1
    const retryAt = isPaused ? before.retryAt : now + pauseAfter(attempts, pauses)
    this.#keep(id, { attempts, retryAt, reportedAt })
    return { attempts, retryAt, isReported }
  }

  /** It failed in an earlier process: it may be tried at once, and the pauses go on where they were. */
  adopt(id: string, attempts: number): void {
    this.#keep(id, { attempts, retryAt: this.#clock.now(), reportedAt: Number.NEGATIVE_INFINITY })
  }

  /** Answers whether it was failing. */
  clear(id: string): boolean {
    return this.#failing.delete(id)
  }

  /** Drops what was due and was not tried: somebody else has ended its failure. */
  expire(): void {
    const before = this.#clock.now() - overdueMs
    for (const [id, { retryAt }] of this.#failing) if (retryAt < before) this.#failing.delete(id)
  }

  #keep(id: string, failing: Failing): void {
    this.#failing.delete(id)
    this.#failing.set(id, failing)
    if (this.#failing.size <= limit) return
    for (const oldest of this.#failing.keys()) {
      this.#failing.delete(oldest)
      return
    }
  }
}

export interface Pauses {
  readonly firstMs: number
  readonly longestMs: number
}

/** How long to pause after so many attempts, from 1: each pause is twice as long as the one before. Milliseconds. */
export function pauseAfter(attempts: number, { firstMs, longestMs }: Pauses): number {
  return Math.min(longestMs, firstMs * 2 ** Math.min(attempts - 1, 20))
}
