/**
 * Actors that cannot be processed: what is stored does not fit the machine, or a timer's transition fails or cannot be written. Each
 * is tried again with growing pauses, and storage does not find its timers in between, so that any number of them delays no other actor.
 * They are stored with their errors, for `stuckActors` of every process.
 */
import type { AnyActorRef } from '../anyKind.ts'
import type { Clock } from '../ports/clock.ts'
import type { QuarantinedActor, QuarantineStore } from '../ports/quarantineStore.ts'
import { RetrySchedule } from '../retrySchedule.ts'

/** The stored length of an error, characters. */
const problemLength = 1_000
/** Entries of earlier processes that are taken over. */
const adoptedLimit = 10_000
const batchLimit = 500

export interface QuarantineOptions {
  readonly store: QuarantineStore
  readonly clock: Clock
  problem(error: unknown, context: Readonly<Record<string, unknown>>): void
}

export class Quarantine {
  readonly #options: QuarantineOptions
  readonly #retries: RetrySchedule
  readonly #put = new Map<string, QuarantinedActor>()
  readonly #released = new Set<string>()
  #isScheduled = false

  constructor(options: QuarantineOptions) {
    this.#options = options
    this.#retries = new RetrySchedule(options.clock)
  }

  get size(): number {
    return this.#retries.size
  }

  /** Whether the actor is not to be tried now. */
  isPaused(id: string): boolean {
    return this.size > 0 && this.#retries.isPaused(id)
  }

  /** @param seq the state that it failed on */
  add(ref: AnyActorRef, seq: number, error: unknown, context: Readonly<Record<string, unknown>>): void {
    const wasPaused = this.#retries.isPaused(ref.id)
    const { attempts, retryAt, isReported } = this.#retries.fail(ref.id)
    if (isReported) {
      this.#options.problem(error, { part: 'quarantine', actor: ref.id, seq, attempts, retryAt, ...context })
    }
    if (wasPaused) return
    const problem = (error instanceof Error ? error.message : String(error)).slice(0, problemLength)
    this.#released.delete(ref.id)
    this.#put.set(ref.id, { ref, seq, problem, since: this.#options.clock.now(), attempts, retryAt })
    this.#schedule()
  }

  /** The actor was processed. */
  release(id: string): void {
    if (this.size === 0 || !this.#retries.clear(id)) return
    this.#put.delete(id)
    this.#released.add(id)
    this.#schedule()
  }

  /** Forgets actors that other processes have processed. */
  expire(): void {
    this.#retries.expire()
  }

  /** Takes over what earlier processes stored. Each may be tried at once: this program may be one that can process it. */
  async adopt(): Promise<readonly AnyActorRef[]> {
    const stored = await this.#options.store.list(adoptedLimit)
    for (const { ref, attempts } of stored) this.#retries.adopt(ref.id, attempts)
    return stored.map(({ ref }) => ref)
  }

  #schedule(): void {
    if (this.#isScheduled) return
    this.#isScheduled = true
    setImmediate(() => {
      this.#isScheduled = false
      this.#write().catch((error: unknown) => this.#options.problem(error, { part: 'quarantine' }))
    })
  }

  async #write(): Promise<void> {
    const { store } = this.#options
    const put = [...this.#put.values()]
    const released = [...this.#released]
    this.#put.clear()
    this.#released.clear()
    for (let from = 0; from < put.length; from += batchLimit) await store.put(put.slice(from, from + batchLimit))
    if (released.length > 0) await store.release(released)
  }
}
