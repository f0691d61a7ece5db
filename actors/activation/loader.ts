/** Reads actors in batches: all requests of one tick of the event loop become one query. */

import { Members } from '../../machines/framework/members.ts'
import { type BackOffPolicy, backOffMs } from '../../spec/core/backOff.ts'
import type { AnyActorRef } from '../anyKind.ts'
import { afterThisTurn, ReadBatcher } from '../flow/readBatcher.ts'
import type { Clock } from '../ports/clock.ts'
import type { Journal, StoredActor } from '../ports/journal.ts'
import type { Snapshot } from './snapshot.ts'

/** The stored data of an actor, with all its members. */
export interface LoadedActor {
  readonly stored: StoredActor
  readonly members: Members
}

/** A requested actor whose read has not begun. */
interface PendingLoad {
  readonly ref: AnyActorRef
  /** The outdated state of which unchanged members are taken. */
  readonly known: Snapshot | undefined
  /** Whether a caller repeats it if it fails. */
  isRepeated: boolean
}

const batchLimit = 256
const retryPolicy: BackOffPolicy = { firstMs: 50, factor: 2, mostMs: 2_000, jitter: 0 }
/** Smaller collections are read whole: that costs no more than finding out what changed. */
const smallestKnown = 500

export class Loader {
  readonly #journal: Journal
  readonly #clock: Clock
  readonly #problem: (error: unknown) => void
  readonly #pending = new Map<string, PendingLoad>()
  readonly #reads = new ReadBatcher<string, LoadedActor | undefined>({
    read: (ids) => this.#read(ids),
    schedule: afterThisTurn,
    keyLimit: batchLimit,
  })
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
  async load(ref: AnyActorRef, known?: Snapshot): Promise<LoadedActor | undefined> {
    for (let failures = 1; ; failures++) {
      try {
        return await this.#add(ref, known, true)
      } catch {
        await new Promise<void>((resolve) => this.#clock.after(backOffMs(retryPolicy, failures), resolve))
      }
    }
  }

  /** As `load`, with one try: for requests, which must be answered while the database is unavailable. @throws what storage throws */
  loadOnce(ref: AnyActorRef, known?: Snapshot): Promise<LoadedActor | undefined> {
    return this.#add(ref, known, false)
  }

  #add(ref: AnyActorRef, known: Snapshot | undefined, isRepeated: boolean): Promise<LoadedActor | undefined> {
    const pending = this.#pending.get(ref.id)
    if (pending === undefined) {
      const large = (known?.state.context.members?.size ?? 0) >= smallestKnown ? known : undefined
      this.#pending.set(ref.id, { ref, known: large, isRepeated })
    } else pending.isRepeated ||= isRepeated
    return this.#reads.load(ref.id)
  }

  async #read(ids: readonly string[]): Promise<readonly (LoadedActor | undefined)[]> {
    const loads = ids.map((id) => this.#take(id))
    try {
      const began = this.#clock.monotonic()
      const found = await this.#journal.load(
        loads.map(({ ref: { id, kind }, known }) => ({ id, kind, known: known && stateOf(known) })),
      )
      this.#lastMs = this.#clock.monotonic() - began
      return loads.map(({ ref, known }) => loadedOf(found.get(ref.id), known))
    } catch (error) {
      // A caller that does not repeat it reports the error itself.
      if (loads.some(({ isRepeated }) => isRepeated)) this.#problem(error)
      throw error
    }
  }

  #take(id: string): PendingLoad {
    const pending = this.#pending.get(id) as PendingLoad
    this.#pending.delete(id)
    return pending
  }
}

function stateOf({ seq, owner, createdAt, changedAt }: Snapshot) {
  return { seq, owner, createdAt, changedAt }
}

function loadedOf(stored: StoredActor | undefined, known: Snapshot | undefined): LoadedActor | undefined {
  return stored && { stored, members: membersOf(stored, known?.state.context.members) }
}

/** The state at a sequence is the same for every process, so the known members with the changes since are those that are stored. */
function membersOf({ members, delta }: StoredActor, known = Members.empty): Members {
  return delta === undefined ? Members.from(members) : known.withAll(members).withoutAll(delta.removed)
}
