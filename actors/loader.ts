/** Reads actors in batches: all that are asked for in one turn of the event loop become one query. */
import type { ActorRef } from '../spec/actor.ts'
import type { Clock, Journal, StoredActor } from './ports.ts'

type Waiter = { readonly resolve: (stored: StoredActor | undefined) => void }

const batchLimit = 256
const firstRetryMs = 50
const slowestRetryMs = 2_000

export class Loader {
  readonly #journal: Journal
  readonly #clock: Clock
  readonly #problem: (error: unknown) => void
  #waiting = new Map<string, { readonly ref: ActorRef; readonly waiters: Waiter[] }>()
  #scheduled = false

  constructor(journal: Journal, clock: Clock, problem: (error: unknown) => void) {
    this.#journal = journal
    this.#clock = clock
    this.#problem = problem
  }

  /** What is stored, `undefined` where there is no such actor. Never rejects: it tries until storage answers. */
  load(ref: ActorRef): Promise<StoredActor | undefined> {
    return new Promise((resolve) => {
      const entry = this.#waiting.get(ref.id)
      if (entry) entry.waiters.push({ resolve })
      else this.#waiting.set(ref.id, { ref, waiters: [{ resolve }] })
      if (this.#scheduled) return
      this.#scheduled = true
      setImmediate(() => {
        this.#scheduled = false
        const all = [...this.#waiting.values()]
        this.#waiting = new Map()
        for (let from = 0; from < all.length; from += batchLimit)
          this.#read(all.slice(from, from + batchLimit), firstRetryMs)
      })
    })
  }

  async #read(
    batch: readonly { readonly ref: ActorRef; readonly waiters: readonly Waiter[] }[],
    retryMs: number,
  ): Promise<void> {
    try {
      const found = await this.#journal.load(batch.map((entry) => entry.ref))
      for (const { ref, waiters } of batch) for (const waiter of waiters) waiter.resolve(found.get(ref.id))
    } catch (error) {
      this.#problem(error)
      this.#clock.after(retryMs, () => void this.#read(batch, Math.min(retryMs * 2, slowestRetryMs)))
    }
  }
}
