/** Reads actors in batches: all that are asked for in one turn of the event loop become one query. */
import { Members } from '../machines/members.ts'
import type { ActorRef } from '../spec/actor.ts'
import type { Live } from './live.ts'
import type { Clock, Journal, StoredActor } from './ports.ts'

/** What is stored of an actor, with all its members. */
export interface LoadedActor {
  readonly stored: StoredActor
  readonly members: Members
}

type Waiter = (loaded: LoadedActor | undefined) => void

interface Entry {
  readonly id: string
  readonly kind: ActorRef['kind']
  /** The outdated state of which unchanged members are taken. */
  known: Live | undefined
  readonly waiters: Waiter[]
}

const batchLimit = 256
const firstRetryMs = 50
const slowestRetryMs = 2_000
/** Smaller collections are read whole: that costs no more than finding out what changed. */
const smallestKnown = 64

export class Loader {
  readonly #journal: Journal
  readonly #clock: Clock
  readonly #problem: (error: unknown) => void
  #waiting = new Map<string, Entry>()
  #scheduled = false
  #lastMs = 0

  constructor(journal: Journal, clock: Clock, problem: (error: unknown) => void) {
    this.#journal = journal
    this.#clock = clock
    this.#problem = problem
  }

  /** Milliseconds that the last query took. */
  get lastMs(): number {
    return this.#lastMs
  }

  /**
   * What is stored, `undefined` where there is no such actor. Never rejects: it tries until storage answers.
   * @param known a durable state of it that is in memory, so that only what changed since is read of a large collection
   */
  load(ref: ActorRef, known?: Live): Promise<LoadedActor | undefined> {
    const large = (known?.state.context.members?.size ?? 0) >= smallestKnown ? known : undefined
    return new Promise((resolve) => {
      const entry = this.#waiting.get(ref.id)
      if (entry === undefined)
        this.#waiting.set(ref.id, { id: ref.id, kind: ref.kind, known: large, waiters: [resolve] })
      else entry.waiters.push(resolve)
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

  async #read(batch: readonly Entry[], retryMs: number): Promise<void> {
    try {
      const began = this.#clock.monotonic()
      const found = await this.#journal.load(
        batch.map(({ id, kind, known }) => ({ id, kind, known: known && stateOf(known) })),
      )
      this.#lastMs = this.#clock.monotonic() - began
      const incomplete = batch.filter((entry) => !answer(entry, found.get(entry.id)))
      for (const entry of incomplete) entry.known = undefined
      if (incomplete.length > 0) await this.#read(incomplete, retryMs)
    } catch (error) {
      this.#problem(error)
      this.#clock.after(retryMs, () => void this.#read(batch, Math.min(retryMs * 2, slowestRetryMs)))
    }
  }
}

function stateOf({ seq, owner, createdAt, changedAt }: Live) {
  return { seq, owner, createdAt, changedAt }
}

/** Returns false if members were removed since the known state: which ones is not stored. */
function answer({ known, waiters }: Entry, stored: StoredActor | undefined): boolean {
  const loaded = stored && merge(stored, known?.state.context.members)
  if (loaded === 'incomplete') return false
  for (const resolve of waiters) resolve(loaded)
  return true
}

/**
 * The state at a sequence is the same for every process, so the known members and the changed ones together are all that are
 * stored and those that were removed. They are exactly what is stored if their number is right.
 */
function merge(stored: StoredActor, known = Members.empty): LoadedActor | 'incomplete' {
  if (stored.delta === undefined) return { stored, members: Members.from(stored.members) }
  const members = known.withAll(stored.members)
  const { memberCount = known.size } = stored.delta
  return members.size === memberCount ? { stored, members } : 'incomplete'
}
