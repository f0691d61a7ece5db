import type { QuarantinedActor, QuarantineStore } from '../../../../actors/ports/quarantineStore.ts'
import type { MemoryState } from './state.ts'

export class MemoryQuarantine implements QuarantineStore {
  readonly #state: MemoryState

  constructor(state: MemoryState) {
    this.#state = state
  }

  async put(entries: readonly QuarantinedActor[]): Promise<void> {
    const { actors, quarantine } = this.#state
    for (const entry of entries) {
      const { ref, seq, retryAt } = entry
      const before = quarantine.get(ref.id)
      quarantine.set(ref.id, { ...entry, since: before?.seq === seq ? before.since : entry.since })
      const actor = actors.get(ref.id)
      if (actor?.seq === seq && actor.nextDue !== undefined && actor.nextDue < retryAt) {
        actors.set(ref.id, { ...actor, nextDue: retryAt })
      }
    }
  }

  async release(ids: readonly string[]): Promise<void> {
    for (const id of ids) this.#state.quarantine.delete(id)
  }

  async list(limit: number): Promise<readonly QuarantinedActor[]> {
    return quarantinedActors(this.#state)
      .sort((a, b) => a.since - b.since)
      .slice(0, limit)
  }
}

/** The entries whose actors have not changed since they failed. */
export function quarantinedActors({ actors, quarantine }: MemoryState): QuarantinedActor[] {
  return [...quarantine.values()].filter(({ ref, seq }) => actors.get(ref.id)?.seq === seq)
}
