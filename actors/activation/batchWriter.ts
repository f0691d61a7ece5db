/**
 * Group commit: writes that are ready go to storage in one statement, so that many share the cost of a commit. While one batch is
 * in flight, the next is collected. It guarantees that each write is reported exactly once: committed, lost or failed.
 */
import { type BackOffPolicy, backOffMs } from '../../spec/core/backOff.ts'
import type { Clock } from '../ports/clock.ts'
import {
  CommitFailed,
  type CommitResult,
  CommitUncertain,
  type Journal,
  type LostReason,
  type Write,
} from '../ports/journal.ts'

const batchesInFlight = 2
const smallestLimit = 16
/** Larger batches were slower: the shared cost is small by then, and the rows of a batch wait for one another. See `bench:transitions`. */
const largestBatch = 128
const retryPolicy: BackOffPolicy = { firstMs: 25, factor: 2, mostMs: 2_000, jitter: 0 }

/** Supplies the writes and receives their results. */
export interface BatchSource<T extends { readonly write: Write }> {
  /** Up to `limit` writes of as many actors. None means that nothing is ready. */
  takeBatch(limit: number): readonly T[]
  /** Messages that wait. It sizes the batches. */
  readonly waiting: number
  committed(writes: readonly T[]): void
  /** Something that the write depends on has changed. */
  lost(write: T, reason: LostReason): void
  /** It can't be written, and it alone is the cause. */
  failed(write: T, error: CommitFailed): void
}

/** Effects that were delivered and whose outbox rows may be deleted with the next batch. */
export interface DeliveredEffects {
  /** IDs. */
  take(): readonly string[]
  /** The batch was not written, or it is uncertain whether it was. */
  putBack(ids: readonly string[]): void
}

export interface BatchWriterServices {
  readonly journal: Journal
  readonly clock: Clock
  readonly deliveredEffects: DeliveredEffects
  problem(error: unknown): void
}

export class BatchWriter<T extends { readonly write: Write }> {
  readonly #services: BatchWriterServices
  readonly #source: BatchSource<T>
  #inFlight = 0
  #isRequested = false
  #idle: (() => void)[] = []

  constructor(services: BatchWriterServices, source: BatchSource<T>) {
    this.#services = services
    this.#source = source
  }

  /** Something is ready. Batches are filled after the present turn of the event loop, when all that came with it is there. */
  requestBatch(): void {
    if (this.#isRequested || this.#inFlight >= batchesInFlight) return
    this.#isRequested = true
    setImmediate(() => {
      this.#isRequested = false
      this.#fill()
    })
  }

  /** Resolves when no batch is in flight. */
  idle(): Promise<void> {
    if (this.#inFlight === 0 && !this.#isRequested) return Promise.resolve()
    return new Promise((resolve) => this.#idle.push(resolve))
  }

  #fill(): void {
    while (this.#inFlight < batchesInFlight) {
      const share = Math.ceil(this.#source.waiting / batchesInFlight)
      const batch = this.#source.takeBatch(Math.min(largestBatch, Math.max(smallestLimit, share)))
      if (batch.length === 0) break
      this.#inFlight++
      void this.#write(batch).finally(() => {
        this.#inFlight--
        this.#fill()
      })
    }
    if (this.#inFlight === 0) for (const resolve of this.#idle.splice(0)) resolve()
  }

  async #write(batch: readonly T[]): Promise<void> {
    // Sorted by ID, so that two processes that write the same actors lock their rows in one order and can't deadlock.
    const sorted = [...batch].sort((a, b) => (a.write.ref.id < b.write.ref.id ? -1 : 1))
    const delivered = this.#services.deliveredEffects.take()
    try {
      await this.#commit(sorted, delivered)
    } catch (error) {
      this.#services.problem(error)
    }
  }

  async #commit(batch: readonly T[], delivered: readonly string[], attempt = 1): Promise<void> {
    let result: CommitResult
    try {
      result = await this.#services.journal.commit(
        batch.map(({ write }) => write),
        delivered,
      )
    } catch (error) {
      if (error instanceof CommitUncertain) return this.#settle(batch, delivered)
      // An error that is not of storage means that a row can't be encoded. It is found as one that can't be written.
      const failure =
        error instanceof CommitFailed ? error : new CommitFailed(String(error), 'invalid', { cause: error })
      return this.#retry(batch, delivered, failure, attempt)
    }
    const { lost } = result
    this.#source.committed(lost.size === 0 ? batch : batch.filter((_, index) => !lost.has(index)))
    for (const [index, reason] of lost) {
      const write = batch[index]
      if (write !== undefined) this.#source.lost(write, reason)
    }
  }

  /** Nothing of the batch was written. */
  async #retry(batch: readonly T[], delivered: readonly string[], error: CommitFailed, attempt: number): Promise<void> {
    if (error.repeatable) {
      this.#services.problem(error)
      await this.#pause(attempt)
      return this.#commit(batch, delivered, attempt + 1)
    }
    this.#services.deliveredEffects.putBack(delivered)
    const [only] = batch
    if (only === undefined) return
    if (batch.length === 1) return this.#source.failed(only, error)
    // One row fails the statement for all. Halving finds it in a few statements, and the others get through.
    const middle = batch.length >> 1
    await this.#commit(batch.slice(0, middle), [])
    await this.#commit(batch.slice(middle), [])
  }

  /** The connection was lost before the answer. Which writes are durable is read after the old session has ended, never guessed. */
  async #settle(batch: readonly T[], delivered: readonly string[]): Promise<void> {
    this.#services.deliveredEffects.putBack(delivered)
    const isWritten = await this.#readWritten(batch)
    this.#source.committed(batch.filter((_, index) => isWritten[index]))
    const again = batch.filter((_, index) => !isWritten[index])
    if (again.length > 0) await this.#commit(again, [])
  }

  async #readWritten(batch: readonly T[]): Promise<readonly boolean[]> {
    for (let attempt = 1; ; attempt++) {
      try {
        return await this.#services.journal.settle(batch.map(({ write }) => write))
      } catch (error) {
        this.#services.problem(error)
        await this.#pause(attempt)
      }
    }
  }

  #pause(attempt: number): Promise<void> {
    return new Promise((resolve) => this.#services.clock.after(backOffMs(retryPolicy, attempt), resolve))
  }
}
