/** Caches the last listing of each server. Concurrent callers share one request. */
import type { Listing } from './listing.ts'
import type { ExternalServer } from './servers.ts'

interface CachedListing {
  readonly endpointRevision: number
  /** The time of the request. */
  readonly at: number
  readonly listing: Promise<Listing>
}

export class Listings {
  readonly #kept = new Map<string, CachedListing>()
  readonly #now: () => number
  readonly #list: (server: ExternalServer, isRequested: boolean) => Promise<Listing>

  /** @param list requests the tools of the server. `isRequested` is true if the caller requires a current listing. */
  constructor(now: () => number, list: (server: ExternalServer, isRequested: boolean) => Promise<Listing>) {
    this.#now = now
    this.#list = list
  }

  /** Returns a listing of at most this age, which may still be in flight. A negative age always requests a new one. */
  async get(server: ExternalServer, maxAgeMs: number): Promise<Listing> {
    const { id, endpointRevision } = server
    const cached = this.#kept.get(id)
    if (cached !== undefined && cached.endpointRevision === endpointRevision && this.#now() - cached.at <= maxAgeMs)
      return await cached.listing
    const at = this.#now()
    const listing = this.#list(server, maxAgeMs <= 0)
    const entry: CachedListing = { endpointRevision, at, listing }
    this.#kept.set(id, entry)
    try {
      return await listing
    } catch (error) {
      if (this.#kept.get(id) === entry) this.#kept.delete(id)
      throw error
    }
  }

  invalidate(serverId: string): void {
    this.#kept.delete(serverId)
  }
}
