/**
 * Caches which principal holds which credential. Changes in the feed invalidate entries. An entry is valid until 1 s after the time
 * that the feed confirms. A socket is closed when its credential is no longer valid.
 */
import { LRUCache } from 'lru-cache'
import { isRowOfKind } from '../../machines/rows.ts'
import { sessionRenewalMs } from '../../spec/accounts/sessionLifetime.ts'
import type { ActorEvent, ActorRow } from '../../spec/core/actor.ts'
import { Failure } from '../../spec/core/failure.ts'
import type { ActorKind } from '../../spec/core/ids.ts'
import type { Principal } from '../../spec/core/principal.ts'
import type { Feed, FeedItem } from '../../storage/ports/feed.ts'
import type { Limits } from '../limits/limits.ts'
import type { GatewayOptions } from '../options.ts'
import {
  expiryOf,
  type FoundIdentity,
  findIdentity,
  type Identity,
  type IdentitySource,
  isRevokedAgent,
  isValidCredential,
  type KeyedCredential,
} from './identities.ts'
import { sha256Hex } from './tokens.ts'

const watchedKinds: readonly ActorKind[] = ['authSession', 'apiKey', 'agent', 'run', 'user']
/** The interval at which the use of a session or a key is recorded. Recorded use renews a session. A key only shows it. */
const touchEveryMs = { user: sessionRenewalMs, apiKey: 3_600_000 } as const
/** The interval at which the cache checks whether a socket is in use. */
const checkUseMs = 3_600_000
/** The longest age of an entry, even if the feed confirms it. */
const longestMs = 5 * 60_000
/** The interval at which the cache checks whether the feed still confirms the credentials of open sockets. */
const sweepMs = 250
const longestTimer = 2 ** 31 - 1

interface Entry {
  readonly identity: Identity
  /** On the monotonic clock. */
  readonly verifiedAt: number
}

/** A socket, as the holder of a credential. */
export interface CredentialHolder {
  /** Called once, when the credential stops being valid. `isRevoked`: because its agent was revoked. */
  ended(isRevoked: boolean): void
  /** Whether the socket has operations in progress. */
  inUse(): boolean
}

export interface Watch {
  /** The holder has sent a request. */
  used(): void
  end(): void
}

interface Live {
  readonly identity: Identity
  readonly holder: CredentialHolder
  cancelTimer: () => void
  cancelUse: () => void
}

export class PrincipalCache {
  readonly #source: IdentitySource
  readonly #options: GatewayOptions
  readonly #limits: Limits
  readonly #entries: LRUCache<string, Entry>
  readonly #keysByActor = new Map<string, Set<string>>()
  readonly #liveByActor = new Map<string, Set<Live>>()
  /** When the last use of each session or key was recorded, by its ID. All its requests and sockets share one record. */
  readonly #touchedAt: LRUCache<string, number>
  readonly #lookups = new Map<string, Promise<FoundIdentity>>()
  /** For each lookup in progress, the actors that changed since it began. The lookup may have read their old state. */
  readonly #changed = new Set<Set<string>>()
  /** Counts the times that hints may have been missed. Data that was read before the last time may be out of date. */
  #gaps = 0
  /** When all open sockets were last validated, on the monotonic clock. */
  #validatedAt = Number.NEGATIVE_INFINITY
  /** The last validation failed, or hints may have been missed since. */
  #mustValidate = false
  #validating = false
  readonly #unsubscribe: (() => void)[]
  #cancelSweep: () => void = () => {}

  constructor(options: GatewayOptions, limits: Limits) {
    this.#options = options
    this.#limits = limits
    this.#source = { views: options.views, secrets: options.secrets, now: () => options.clock.now() }
    // `maxSize` instead of `max`: `max` would allocate the memory for all entries at once.
    const bound = { maxSize: limits.cachedPrincipals, sizeCalculation: () => 1 }
    this.#entries = new LRUCache({
      ...bound,
      dispose: (entry, key) => this.#unindex(entry.identity, key),
    })
    this.#touchedAt = new LRUCache(bound)
    this.#unsubscribe = watchedKinds.map((kind) => this.#feed.onKind(kind, (item) => this.#onChange(item)))
    this.#unsubscribe.push(this.#feed.onGap(() => this.#invalidateAll()))
    this.#sweepLater()
  }

  get #feed(): Feed {
    return this.#options.feed
  }

  cached(credential: KeyedCredential): Identity | undefined {
    const key = keyOf(credential)
    const entry = this.#entries.get(key)
    if (!entry) return undefined
    const { expiresAt } = entry.identity
    const now = this.#options.clock.now()
    if ((expiresAt === undefined || expiresAt > now) && this.#isGood(entry.verifiedAt)) {
      this.#touch(entry.identity, now)
      return entry.identity
    }
    this.#entries.delete(key)
    return undefined
  }

  #isGood(verifiedAt: number): boolean {
    const now = this.#options.clock.monotonic()
    const confirmedAt = Math.max(verifiedAt, this.#feed.confirmedUntil())
    return now - confirmedAt <= this.#limits.unconfirmedMs && now - verifiedAt <= longestMs
  }

  /** Concurrent lookups of one credential share one query. Rejects if storage is unavailable. */
  lookUp(credential: KeyedCredential): Promise<FoundIdentity> {
    const key = keyOf(credential)
    const known = this.#lookups.get(key)
    if (known) return known
    const changed = new Set<string>()
    this.#changed.add(changed)
    const found = this.#find(credential, key, changed).finally(() => {
      this.#lookups.delete(key)
      this.#changed.delete(changed)
    })
    this.#lookups.set(key, found)
    return found
  }

  async #find(credential: KeyedCredential, key: string, changed: Set<string>): Promise<FoundIdentity> {
    for (;;) {
      changed.clear()
      const gaps = this.#gaps
      const verifiedAt = this.#options.clock.monotonic()
      const identity = await findIdentity(credential, this.#source)
      if (!identity || identity === 'AGENT_REVOKED') return identity
      if (gaps !== this.#gaps || identity.actors.some((id) => changed.has(id))) continue
      if (identity.firstUse) {
        await this.#send(identity.actors[0], 'agent', { type: 'credentialUsed', hash: identity.hash })
        continue
      }
      this.#entries.set(key, { identity, verifiedAt })
      this.#wasTouched(identity.actors[0], identity.touchedAt)
      this.#touch(identity, this.#options.clock.now())
      for (const id of identity.actors) added(this.#keysByActor, id, key)
      return identity
    }
  }

  /** Returns the ID of the enrollment of a token, if the enrollment can still be used. The result is never cached. */
  async findEnrollment(token: string): Promise<string | undefined> {
    const row = await this.#source.views.findByKey('enrollment', sha256Hex(token))
    if (!row || (row.columns.status !== 'ISSUED' && row.columns.status !== 'CLAIMED')) return undefined
    // Its expiry timer may be late.
    return row.init.expiresAt > this.#options.clock.now() ? row.id : undefined
  }

  /** Monitors an open holder of the credential until the credential or the watch ends. */
  watch(identity: Identity, holder: CredentialHolder): Watch {
    const live: Live = { identity, holder, cancelTimer: () => {}, cancelUse: () => {} }
    for (const id of identity.actors) added(this.#liveByActor, id, live)
    if (identity.expiresAt !== undefined) this.#endAt(live, identity.expiresAt)
    if (showsUse(identity.principal)) this.#checkUse(live)
    return { used: () => this.#touch(identity, this.#options.clock.now()), end: () => this.#unwatch(live) }
  }

  /** A client that only subscribes sends no requests. A socket with an active subscription still counts as in use. */
  #checkUse(live: Live): void {
    live.cancelUse = this.#options.clock.after(checkUseMs, () => {
      if (live.holder.inUse()) this.#touch(live.identity, this.#options.clock.now())
      this.#checkUse(live)
    })
  }

  /** Use may have renewed the session in the meantime, so the row is read again before the socket is closed. */
  #endAt(live: Live, at: number): void {
    const inMs = Math.min(longestTimer, Math.max(0, at - this.#options.clock.now()))
    live.cancelTimer = this.#options.clock.after(inMs, () => {
      const [id = ''] = live.identity.actors
      void this.#options.views.find(id).then(
        (row) => {
          if (!row || !isValidCredential(row, live.identity.hash, this.#source)) this.#end(live, row)
          else this.#endAt(live, expiryOf(row) ?? this.#options.clock.now() + longestTimer)
        },
        () => this.#endAt(live, this.#options.clock.now() + this.#limits.unconfirmedMs),
      )
    })
  }

  /** Use renews a session, and a key shows when it was last used. Both are recorded at intervals only. */
  #touch({ principal, actors: [id = ''], touchedAt }: Identity, now: number): void {
    const { kind: caller } = principal
    if (caller !== 'user' && caller !== 'apiKey') return
    const last = this.#touchedAt.get(id) ?? touchedAt
    if (last !== undefined && now - last < touchEveryMs[caller]) return
    this.#touchedAt.set(id, now)
    const kind = caller === 'user' ? 'authSession' : 'apiKey'
    void this.#send(id, kind, { type: 'touch' }).catch((error: unknown) =>
      this.#options.log.warn({ err: error, id }, 'credential use not recorded'),
    )
  }

  /** Another process may have recorded the use. */
  #wasTouched(id: string | undefined, at: number | null | undefined): void {
    if (id === undefined || at === null || at === undefined) return
    if (at > (this.#touchedAt.get(id) ?? 0)) this.#touchedAt.set(id, at)
  }

  async #send(id: string | undefined, kind: 'authSession' | 'apiKey' | 'agent', event: ActorEvent): Promise<void> {
    if (id === undefined) return
    const origin = {
      cause: 'request',
      principal: id,
      requestId: 'credential',
      receivedAt: this.#options.clock.now(),
    } as const
    await this.#options.system.ask({ to: { kind, id }, event }, origin).catch((error: unknown) => {
      // The actor rejects the message if another process was faster. The next lookup reads the result.
      if (!(error instanceof Failure) || error.code === 'UNAVAILABLE') throw error
    })
  }

  /** Hints may have been missed. Removes all entries, so that every credential is looked up again. */
  #invalidateAll(): void {
    this.#gaps++
    this.#entries.clear()
    // Even if a validation is in progress: it may have read before the missed change.
    if (this.#validating) this.#mustValidate = true
    else void this.#validateAll()
  }

  close(): void {
    for (const end of this.#unsubscribe) end()
    this.#cancelSweep()
  }

  #onChange(item: FeedItem): void {
    const { id } = item.ref
    for (const changed of this.#changed) changed.add(id)
    const keys = this.#keysByActor.get(id)
    const live = this.#liveByActor.get(id)
    if (!keys && !live) return
    const { row } = item
    for (const key of [...(keys ?? [])]) {
      const entry = this.#entries.peek(key)
      if (entry && !(row && isValidCredential(row, entry.identity.hash, this.#source) && sameEnd(row, entry.identity)))
        this.#entries.delete(key)
    }
    if (!live) return
    if (row) this.#validate(row, live)
    else void this.#validateStored([id])
  }

  #validate(row: ActorRow, live: ReadonlySet<Live>): void {
    if (isRowOfKind('authSession', row) || isRowOfKind('apiKey', row)) this.#wasTouched(row.id, row.context.touchedAt)
    for (const one of [...live]) if (!isValidCredential(row, one.identity.hash, this.#source)) this.#end(one, row)
  }

  /** Reads the actors and closes the sockets whose credentials are no longer valid. While storage is unavailable, no socket is closed. */
  async #validateStored(ids: readonly string[]): Promise<boolean> {
    try {
      const rows = await this.#options.views.findMany(ids)
      for (const id of ids) {
        const row = rows.get(id)
        const live = this.#liveByActor.get(id)
        if (row && live) this.#validate(row, live)
      }
      return true
    } catch (error) {
      // The sweep validates these actors again.
      this.#mustValidate = true
      this.#options.log.warn({ err: error }, 'live credentials could not be checked')
      return false
    }
  }

  #sweepLater(): void {
    this.#cancelSweep = this.#options.clock.after(sweepMs, () => {
      void this.#sweep().finally(() => this.#sweepLater())
    })
  }

  /** Early enough that no socket depends on an unconfirmed credential for more than `unconfirmedMs`. */
  async #sweep(): Promise<void> {
    const { clock } = this.#options
    const confirmedAt = this.#mustValidate ? Number.NEGATIVE_INFINITY : this.#feed.confirmedUntil()
    const since = Math.max(this.#validatedAt, confirmedAt)
    if (clock.monotonic() - since > this.#limits.unconfirmedMs - 2 * sweepMs) await this.#validateAll()
  }

  async #validateAll(): Promise<void> {
    if (this.#validating) return
    this.#validating = true
    this.#mustValidate = false
    this.#validatedAt = this.#options.clock.monotonic()
    const ids = [...this.#liveByActor.keys()]
    let looked = true
    for (let at = 0; looked && at < ids.length; at += 1_000)
      looked = await this.#validateStored(ids.slice(at, at + 1_000))
    this.#validating = false
  }

  #end(live: Live, row: ActorRow | undefined): void {
    this.#unwatch(live)
    live.holder.ended(row !== undefined && isRevokedAgent(row, live.identity.hash))
  }

  #unwatch(live: Live): void {
    live.cancelTimer()
    live.cancelUse()
    for (const id of live.identity.actors) removed(this.#liveByActor, id, live)
  }

  #unindex(identity: Identity, key: string): void {
    for (const id of identity.actors) removed(this.#keysByActor, id, key)
  }
}

function showsUse({ kind }: Principal): boolean {
  return kind === 'user' || kind === 'apiKey'
}

/** Returns false if the row of the credential itself has a new expiry time. */
function sameEnd(row: ActorRow, identity: Identity): boolean {
  return row.id !== identity.actors[0] || expiryOf(row) === identity.expiresAt
}

function keyOf(credential: KeyedCredential): string {
  return `${credential.type}:${sha256Hex(credential.token)}`
}

function added<V>(index: Map<string, Set<V>>, id: string, value: V): void {
  const known = index.get(id)
  if (known) known.add(value)
  else index.set(id, new Set([value]))
}

function removed<V>(index: Map<string, Set<V>>, id: string, value: V): void {
  const known = index.get(id)
  if (known?.delete(value) && known.size === 0) index.delete(id)
}
