/** Reads actors in batches: all requests of one tick of the event loop become one query. */
import { type BackOffPolicy, backOffMs } from '../../flow/backOff.ts'
import { Members } from '../../machines/framework/members.ts'
import type { ActorRef } from '../../spec/core/actor.ts'
import type { Clock } from '../ports/clock.ts'
import type { Journal, StoredActor } from '../ports/journal.ts'
import type { Snapshot } from './snapshot.ts'

/** The stored data of an actor, with all its members. */
export interface LoadedActor {
  readonly stored: StoredActor
  readonly members: Members
}

interface Waiter {
  readonly resolve: (loaded: LoadedActor | undefined) => void
  /** Of one that does not wait for a second try. */
  readonly reject?: (error: unknown) => void
}

interface Entry {
  readonly id: string
  readonly kind: ActorRef['kind']
  /** The outdated state of which unchanged members are taken. */
  readonly known: Snapshot | undefined
  readonly waiters: Waiter[]
}

const batchLimit = 256
const retryPolicy: BackOffPolicy = { firstMs: 50, factor: 2, mostMs: 2_000, jitter: 0 }
/** Smaller collections are read whole: that costs no more than finding out what changed. */
const smallestKnown = 500

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
   * Loads the stored data, `undefined` if the actor does not exist. Never rejects: it retries until storage answers.
   * @param known a durable state of it that is in memory, so that only what changed since is read of a large collection
   */
  load(ref: ActorRef, known?: Snapshot): Promise<LoadedActor | undefined> {
    return new Promise((resolve) => this.#add(ref, known, { resolve }))
  }

  /** As `load`, with one try: for requests, which must be answered while the database is unavailable. @throws what storage throws */
  loadOnce(ref: ActorRef, known?: Snapshot): Promise<LoadedActor | undefined> {
    return new Promise((resolve, reject) => this.#add(ref, known, { resolve, reject }))
  }

  #add({ id, kind }: ActorRef, known: Snapshot | undefined, waiter: Waiter): void {
    const large = (known?.state.context.members?.size ?? 0) >= smallestKnown ? known : undefined
    const entry = this.#waiting.get(id)
    if (entry === undefined) this.#waiting.set(id, { id, kind, known: large, waiters: [waiter] })
    else entry.waiters.push(waiter)
    if (this.#scheduled) return
    this.#scheduled = true
    setImmediate(() => {
      this.#scheduled = false
      const all = [...this.#waiting.values()]
      this.#waiting = new Map()
      for (let from = 0; from < all.length; from += batchLimit) void this.#read(all.slice(from, from + batchLimit), 1)
    })
  }

  async #read(batch: readonly Entry[], attempt: number): Promise<void> {
    try {
      const began = this.#clock.monotonic()
      const found = await this.#journal.load(
        batch.map(({ id, kind, known }) => ({ id, kind, known: known && stateOf(known) })),
      )
      this.#lastMs = this.#clock.monotonic() - began
      for (const entry of batch) answer(entry, found.get(entry.id))
    } catch (error) {
      const again = batch.flatMap((entry) => refuse(entry, error))
      if (again.length === 0) return
      this.#problem(error)
      this.#clock.after(backOffMs(retryPolicy, attempt), () => void this.#read(again, attempt + 1))
    }
  }
}

function stateOf({ seq, owner, createdAt, changedAt }: Snapshot) {
  return { seq, owner, createdAt, changedAt }
}

function answer({ known, waiters }: Entry, stored: StoredActor | undefined): void {
  const loaded = stored && { stored, members: membersOf(stored, known?.state.context.members) }
  for (const { resolve } of waiters) resolve(loaded)
}

/** Rejects those that do not wait for a second try, and returns the entry with the others, if there are any. */
function refuse(entry: Entry, error: unknown): readonly Entry[] {
  const waiters = entry.waiters.filter(({ reject }) => {
    reject?.(error)
    return reject === undefined
  })
  return waiters.length === 0 ? [] : [{ ...entry, waiters }]
}

/** The state at a sequence is the same for every process, so the known members with the changes since are those that are stored. */
function membersOf({ members, delta }: StoredActor, known = Members.empty): Members {
  return delta === undefined ? Members.from(members) : known.withAll(members).withoutAll(delta.removed)
}
