/** Caches the last listing of each server. Concurrent callers share one request. */
import type { Listing } from './listing.ts'
import type { Server } from './servers.ts'

interface Kept {
  readonly endpointRevision: number
  /** The time of the request. */
  readonly at: number
  readonly listing: Promise<Listing>
}

export class Listings {
  readonly #kept = new Map<string, Kept>()
  readonly #now: () => number
  readonly #list: (server: Server, asked: boolean) => Promise<Listing>

  /** @param list requests the tools of the server. `asked` is true if the caller requires a current listing. */
  constructor(now: () => number, list: (server: Server, asked: boolean) => Promise<Listing>) {
    this.#now = now
    this.#list = list
  }

  /** Returns a listing of at most this age, which may still be in flight. A negative age always requests a new one. */
  async of(server: Server, maxAgeMs: number): Promise<Listing> {
    const { id, endpointRevision } = server
    const kept = this.#kept.get(id)
    if (kept !== undefined && kept.endpointRevision === endpointRevision && this.#now() - kept.at <= maxAgeMs)
      return await kept.listing
    const at = this.#now()
    const listing = this.#list(server, maxAgeMs <= 0)
    const mine: Kept = { endpointRevision, at, listing }
    this.#kept.set(id, mine)
    try {
      return await listing
    } catch (error) {
      if (this.#kept.get(id) === mine) this.#kept.delete(id)
      throw error
    }
  }

  forget(serverId: string): void {
    this.#kept.delete(serverId)
  }
}
