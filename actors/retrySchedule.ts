/**
 * The retries of operations that keep failing, by ID. It decides when each may be tried again, and whether its failure is due for another log
 * line. The entries are in memory, and their number is bounded: beyond `limit` the oldest entry is dropped. If that one fails again, it
 * gets the shortest pause.
 */
import { type BackOffPolicy, backOffMs } from '../spec/core/backOff.ts'
import type { Clock } from './ports/clock.ts'

const retryPolicy: BackOffPolicy = { firstMs: 1_000, factor: 2, mostMs: 10 * 60_000, jitter: 0 }
const reportEveryMs = 60_000
const overdueMs = 60_000
const limit = 10_000

interface Failing {
  readonly attempts: number
  /** `retryAt` and `reportedAt`: milliseconds since 1970. */
  readonly retryAt: number
  readonly reportedAt: number
}

export interface FailedAttempt {
  readonly attempts: number
  /** The time of the next attempt, milliseconds since 1970. */
  readonly retryAt: number
  /** Whether this failure is to be logged. True at most once a minute for each ID. */
  readonly isReported: boolean
}

export class RetrySchedule {
  readonly #clock: Clock
  readonly #failing = new Map<string, Failing>()

  constructor(clock: Clock) {
    this.#clock = clock
  }

  get size(): number {
    return this.#failing.size
  }

  /** Whether the pause of this ID is not over. */
  isPaused(id: string): boolean {
    const failing = this.#failing.get(id)
    return failing !== undefined && this.#clock.now() < failing.retryAt
  }

  /** Records a failed attempt. During the pause the entry does not change, because the failure was not that of the next attempt. */
  fail(id: string): FailedAttempt {
    const now = this.#clock.now()
    const before = this.#failing.get(id)
    const isReported = before === undefined || now >= before.reportedAt + reportEveryMs
    const reportedAt = isReported ? now : before.reportedAt
    const isPaused = before !== undefined && now < before.retryAt
    const attempts = isPaused ? before.attempts : (before?.attempts ?? 0) + 1
    const retryAt = isPaused ? before.retryAt : now + backOffMs(retryPolicy, attempts)
    this.#keep(id, { attempts, retryAt, reportedAt })
    return { attempts, retryAt, isReported }
  }

  /** Records a failure of an earlier process. The ID may be tried at once, and the next pause continues the earlier series. */
  adopt(id: string, attempts: number): void {
    this.#keep(id, { attempts, retryAt: this.#clock.now(), reportedAt: Number.NEGATIVE_INFINITY })
  }

  /** Returns whether the ID had an entry. */
  clear(id: string): boolean {
    return this.#failing.delete(id)
  }

  /** Drops entries that were due and were not tried. Their failure has ended without another attempt here. */
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
