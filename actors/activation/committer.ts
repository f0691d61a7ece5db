/**
 * Group commit. Steps that are ready go to storage together, one batch while the next is being decided, so that the cost of a
 * commit is shared by many. An actor has at most one step under way: what is in memory is always durable, and a step that
 * fails needs no undoing, only deciding again.
 */

import type { Clock } from '../ports/clock.ts'
import { CommitFailed, type CommitResult, CommitUncertain, type Journal, type LostReason } from '../ports/journal.ts'
import type { Flight } from './cell.ts'

const batchesUnderWay = 2
const smallestLimit = 16
/** Larger ones were slower: what a batch saves is saved by then, and its rows wait for one another. See `bench:transitions`. */
const largestBatch = 128
const firstRetryMs = 25
const slowestRetryMs = 2_000

export interface CommitterEvents {
  /** Decides on up to `limit` actors. An empty answer means that nothing is ready. */
  collect(limit: number): readonly Flight[]
  /** Messages that wait or are under way, which sizes the batches. */
  load(): number
  committed(flights: readonly Flight[]): void
  lost(flight: Flight, reason: LostReason): void
  /** The step can't be written, and it alone is at fault. */
  failed(flight: Flight, error: CommitFailed): void
  /** Effects that are confirmed and whose rows may go with the next batch; `restore` takes them back where it failed. */
  takeDone(): readonly string[]
  restoreDone(ids: readonly string[]): void
  problem(error: unknown): void
}

export class Committer {
  readonly #journal: Journal
  readonly #clock: Clock
  readonly #events: CommitterEvents
  #underWay = 0
  #kicked = false
  #idle: (() => void)[] = []

  constructor(journal: Journal, clock: Clock, events: CommitterEvents) {
    this.#journal = journal
    this.#clock = clock
    this.#events = events
  }

  /** Something is ready. Batches are filled after the present turn of the event loop, when all that came with it is there. */
  kick(): void {
    if (this.#kicked || this.#underWay >= batchesUnderWay) return
    this.#kicked = true
    setImmediate(() => {
      this.#kicked = false
      this.#fill()
    })
  }

  /** Resolves when no batch is under way. */
  idle(): Promise<void> {
    if (this.#underWay === 0 && !this.#kicked) return Promise.resolve()
    return new Promise((resolve) => this.#idle.push(resolve))
  }

  #fill(): void {
    while (this.#underWay < batchesUnderWay) {
      const limit = Math.min(largestBatch, Math.max(smallestLimit, Math.ceil(this.#events.load() / batchesUnderWay)))
      const flights = this.#events.collect(limit)
      if (flights.length === 0) break
      this.#underWay++
      void this.#carryOut(flights).finally(() => {
        this.#underWay--
        this.#fill()
      })
    }
    if (this.#underWay === 0) for (const resolve of this.#idle.splice(0)) resolve()
  }

  async #carryOut(flights: readonly Flight[]): Promise<void> {
    // Sorted by ID, so that two processes that write the same actors lock their rows in one order and can't deadlock.
    const sorted = [...flights].sort((a, b) => (a.cell.ref.id < b.cell.ref.id ? -1 : 1))
    const done = this.#events.takeDone()
    try {
      await this.#commit(sorted, done)
    } catch (error) {
      this.#events.problem(error)
    }
  }

  async #commit(flights: readonly Flight[], done: readonly string[], retryMs = firstRetryMs): Promise<void> {
    const batch = flights.map((flight) => flight.turn.write)
    let result: CommitResult
    try {
      result = await this.#journal.commit(batch, done)
    } catch (error) {
      if (error instanceof CommitUncertain) return this.#settle(flights, done)
      // What is no failure of storage is a row that can't even be encoded: it is found and refused like one that can't be written.
      const failure =
        error instanceof CommitFailed ? error : new CommitFailed(String(error), 'invalid', { cause: error })
      return this.#afterFailure(flights, done, failure, retryMs)
    }
    this.#report(flights, result.lost)
  }

  #report(flights: readonly Flight[], lost: ReadonlyMap<number, LostReason>): void {
    this.#events.committed(lost.size === 0 ? flights : flights.filter((_, index) => !lost.has(index)))
    for (const [index, reason] of lost) {
      const flight = flights[index]
      if (flight) this.#events.lost(flight, reason)
    }
  }

  async #afterFailure(
    flights: readonly Flight[],
    done: readonly string[],
    error: CommitFailed,
    retryMs: number,
  ): Promise<void> {
    if (error.repeatable) {
      this.#events.problem(error)
      await this.#pause(retryMs)
      return this.#commit(flights, done, Math.min(retryMs * 2, slowestRetryMs))
    }
    this.#events.restoreDone(done)
    const [only] = flights
    if (only === undefined) return
    if (flights.length === 1) return this.#events.failed(only, error)
    // One row fails the statement for all. Halving finds it in a few statements, and the others get through.
    const middle = flights.length >> 1
    await this.#commit(flights.slice(0, middle), [])
    await this.#commit(flights.slice(middle), [])
  }

  /** The connection broke before the answer: found out by reading, after the old session is ended, never guessed. */
  async #settle(flights: readonly Flight[], done: readonly string[]): Promise<void> {
    this.#events.restoreDone(done)
    const written = await this.#findOut(flights)
    this.#events.committed(flights.filter((_, index) => written[index]))
    const again = flights.filter((_, index) => !written[index])
    if (again.length > 0) await this.#commit(again, [])
  }

  async #findOut(flights: readonly Flight[]): Promise<readonly boolean[]> {
    for (let retryMs = firstRetryMs; ; retryMs = Math.min(retryMs * 2, slowestRetryMs)) {
      try {
        return await this.#journal.settle(flights.map((flight) => flight.turn.write))
      } catch (error) {
        this.#events.problem(error)
        await this.#pause(retryMs)
      }
    }
  }

  #pause(ms: number): Promise<void> {
    return new Promise((resolve) => this.#clock.after(ms, resolve))
  }
}
