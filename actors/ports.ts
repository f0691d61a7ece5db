/**
 * What the runtime needs of the world, as small interfaces whose comments state order, atomicity and what can be uncertain.
 * Each has a contract suite in test/contracts that runs on memory and on PostgreSQL.
 */

import type {
  ActorRef,
  ActorRow,
  Columns,
  JournalEntry,
  Json,
  MachineRef,
  PendingEffect,
  StreamEntry,
  Timer,
} from '../spec/actor.ts'
import type { ActorKind } from '../spec/ids.ts'
import type { Beat } from '../spec/operation.ts'
import type { Searchable } from '../spec/search/searchable.ts'
import type { TelemetryReader, TelemetryRecord } from '../spec/telemetry/record.ts'
import type { ToolCallReader, ToolCallRecord } from '../spec/tools/audit.ts'

/** What is stored of an actor. */
export interface StoredActor extends ActorRef {
  readonly seq: number
  /** The process token that last wrote it. */
  readonly owner: string
  readonly machine: MachineRef
  readonly columns: Columns
  readonly nextDue: number | undefined
  /** JSON of `{ value, context, timers }`; never contains a raw line end. */
  readonly snapshot: string
  /** JSON of what the actor was made with; written at creation only. */
  readonly init: string
  readonly members: readonly (readonly [string, Json])[]
  /** Present if `members` are only those that changed since the known state (`LoadRequest`). */
  readonly delta?: MemberDelta
  /** Why it can't be read, where its members are no JSON: it alone is at fault, and not those that are loaded with it. */
  readonly unreadable?: string
  readonly createdAt: number
  readonly changedAt: number
}

export interface MemberDelta {
  /** Keys of members that were removed since the known state, or added since and removed. */
  readonly removed: readonly string[]
}

/** An actor to load, with a durable state of it that the caller still has with all its members. */
export interface LoadRequest extends ActorRef {
  readonly known?: KnownState | undefined
}

/** Names a transition: the process that wrote it, and when. The sequence alone does not, if a fail-over lost transactions. */
export interface KnownState {
  readonly seq: number
  readonly owner: string
  readonly createdAt: number
  readonly changedAt: number
}

/** One step of one actor on its way to storage. */
export interface Write {
  readonly ref: ActorRef
  /** The state that the step was decided on. The step is written only where it still stands so. */
  readonly expected: 'absent' | { readonly seq: number; readonly owner: string }
  readonly seq: number
  readonly machine: MachineRef
  readonly columns: Columns
  /** When its timers are to be looked at, milliseconds since 1970: at the earliest of them or before. */
  readonly nextDue: number | undefined
  readonly snapshot: string
  /** Only with `expected: 'absent'`. */
  readonly init: string | undefined
  readonly at: number
  /** The journal row: what reads filter by, and the rest as JSON. */
  readonly entry: { readonly event: string; readonly detail: string }
  readonly effects: readonly NewEffect[]
  readonly members: readonly { readonly key: string; readonly value: Json | undefined }[]
  /**
   * The outbox row that this step answers: deleted in the same commit. The step is lost where the row no longer exists, or says that
   * the effect has failed: an effect has one outcome.
   */
  readonly consumes: string | undefined
  /** What becomes of an effect that has failed for good; then there is no `consumes`. */
  readonly decides?: EffectDecision | undefined
  /** Kept in the same commit; the step is lost where the key already exists. */
  readonly idempotency: IdempotencyRecord | undefined
  /** What the actor is found by from now on; absent where the step did not change it. */
  readonly document?: SearchDocument | undefined
}

export interface SearchDocument {
  /** Of what its kind is found by (`Definition.searchVersion`). */
  readonly version: number
  /** Undefined: it is not to be found, or not any more. */
  readonly found: Searchable | undefined
}

/**
 * Carried out in the commit of the step. `reportFailure`: the step tells the actor of the failure, so the row says that it knows. An
 * operator decides afterwards: `retry` resets the effect's attempts and keeps its ID, `giveUp` deletes its row. The step
 * is lost (`consumed`) where the effect has not failed; for `reportFailure` also where its actor knows, for the others where it doesn't.
 */
export interface EffectDecision {
  readonly effectId: string
  readonly decision: 'reportFailure' | 'retry' | 'giveUp'
}

/** An effect that this program cannot read: its actor is of an unknown kind, or its parameters are no JSON. */
export interface UnreadableEffect {
  readonly id: string
  readonly type: string
  readonly attempts: number
  /** Why. */
  readonly unreadable: string
}

export interface NewEffect {
  /** `actor:sequence:index`. */
  readonly id: string
  readonly type: string
  readonly params: Json
}

/** Milliseconds without a beat after which a process counts as dead. */
export const silentMs = 3_000

export interface IdempotencyRecord {
  /** `principal|operation|key`. */
  readonly key: string
  /** SHA-256 of the canonical input, hexadecimal. */
  readonly inputHash: string
  readonly at: number
  /** The actor that the request made, where the step is another one's. */
  readonly made?: ActorRef | undefined
}

/** Why a step was not written while others of its batch were. */
export type LostReason = 'fence' | 'consumed' | 'idempotency' | 'exists' | 'unique'

export interface CommitResult {
  /** By index into the batch; absent where the step was written. */
  readonly lost: ReadonlyMap<number, LostReason>
}

/** The statement failed and nothing of the batch was written. */
export class CommitFailed extends Error {
  override readonly name = 'CommitFailed'
  /** A deadlock, a serialization failure, a lost connection before anything was sent: the same batch may be sent again. */
  readonly repeatable: boolean
  /** A row has a unique name that another actor has already. */
  readonly unique: boolean
  constructor(message: string, kind: 'repeatable' | 'unique' | 'invalid', options?: ErrorOptions) {
    super(message, options)
    this.repeatable = kind === 'repeatable'
    this.unique = kind === 'unique'
  }
}

/** The connection broke before the answer came: the batch was written whole, or not at all. Settle it with `settle`. */
export class CommitUncertain extends Error {
  override readonly name = 'CommitUncertain'
}

/**
 * Actors at rest. `commit` is one transaction for the whole batch: the journal rows, snapshots, columns, members, effects,
 * consumed effects, documents and idempotency keys of every step that passed its fence are durable together when it resolves, and
 * nothing of a step that lost. Batches may be sent before earlier ones were answered; they are carried out in order.
 * A batch holds at most one step of an actor.
 */
export interface Journal {
  /**
   * Reads the actors; unknown ones are absent. Does not take ownership: the first commit does. An actor with a known state is
   * read without the members that have not changed since, if that state is the stored one or led to it. Otherwise it is read whole.
   */
  load(requests: readonly LoadRequest[]): Promise<ReadonlyMap<string, StoredActor>>
  /** @throws CommitFailed, CommitUncertain */
  commit(batch: readonly Write[], doneEffects: readonly string[]): Promise<CommitResult>
  /**
   * After an uncertain commit: ends whatever session may still be committing, opens a new one, and says for each step
   * whether it stands in the journal. Only then may its actors be loaded again.
   */
  settle(batch: readonly Write[]): Promise<readonly boolean[]>
  /** The record under an idempotency key, with the actor that was made, or is to be made by the message after it. */
  idempotent(key: string): Promise<{ readonly inputHash: string; readonly ref: ActorRef } | undefined>
}

/** Effects that were decided and are not confirmed. Rows are born claimed by the process that committed them. */
export interface Outbox {
  /**
   * Says that this process lives; to be called every second. What a process had claimed that has been silent for `silentMs` is
   * free from now on, and so is what it commits after it was found dead and does not live to beat again. One that was only slow
   * loses its claims: what it is at work on may be begun a second time.
   */
  beat(owner: string, now: number): Promise<void>
  /**
   * Claims up to `limit` rows that are due and whose claim has run out, for `forMs`; rows that another process is claiming are
   * passed over. What a dead process left is found by this. Failed rows are not returned.
   *
   * A claim is the beginning of an attempt and counts it, so that an attempt which ends its process counts too; effects are born
   * with the first one counted. What the owner has claimed already is being attempted still, and not counted again.
   */
  claim(
    owner: string,
    now: number,
    forMs: number,
    limit: number,
  ): Promise<readonly (PendingEffect | UnreadableEffect)[]>
  /** The effect is to be tried again at `due`, after `attempts`. Nothing changes where another process has claimed it meanwhile. */
  retry(
    id: string,
    owner: string,
    next: { readonly attempts: number; readonly due: number; readonly problem: string },
  ): Promise<void>
  /**
   * Its attempts are spent. The row stays until an operator retries it or gives it up (`Write.decides`). Answers whether it has
   * failed by this: it has not where it was answered, or where another process has claimed it meanwhile.
   */
  fail(id: string, owner: string, problem: string): Promise<boolean>
  /** Failed effects of whose failure their actors are not known to have been told, oldest first, of the kinds that the program knows. */
  untold(limit: number): Promise<readonly Omit<PendingEffect, 'params'>[]>
  /** The actor knows that its effect has failed, or can't be told any more. */
  told(id: string): Promise<void>
  /** Removes the rows, but those that have failed. Idempotent. */
  done(ids: readonly string[]): Promise<void>
}

/** Timers at rest are in snapshots; this finds those that are due, whoever set them. */
export interface TimerIndex {
  /**
   * Actors of these kinds whose `nextDue` is `now` or before, the earliest first: each that has a due timer, and some that have none.
   * The kinds are those that the caller has machines for: it could not advance others, and a page of them would hide its own.
   */
  due(
    now: number,
    limit: number,
    kinds: readonly ActorKind[],
  ): Promise<readonly { readonly ref: ActorRef; readonly due: number }[]>
  /** Sets `nextDue` of actors of which nothing was due at `now`, where they still stand at `seq`. Repeated, it changes nothing. */
  rearm(looks: readonly Look[], now: number): Promise<void>
}

/** An actor that a process could not go on with. */
export interface QuarantinedActor {
  readonly ref: ActorRef
  /** The state that it failed on: the entry holds while the actor stands at this sequence. */
  readonly seq: number
  readonly problem: string
  /** Milliseconds since 1970: when it failed first on this state, and when it is tried again. */
  readonly since: number
  readonly retryAt: number
  readonly attempts: number
}

/** Actors in quarantine, stored so that every process and the next one shows them. */
export interface QuarantineStore {
  /**
   * Stores or renews the entries, and moves the time at which the timers of their actors are found (`nextDue`) to `retryAt`, where
   * they still stand at `seq`. At most one entry of an actor. `since` of an entry with the same `seq` stays.
   */
  put(entries: readonly QuarantinedActor[]): Promise<void>
  /** Idempotent. */
  release(ids: readonly string[]): Promise<void>
  /** Entries whose actors still stand at `seq`, the oldest first. */
  list(limit: number): Promise<readonly QuarantinedActor[]>
}

export interface Look {
  readonly ref: ActorRef
  readonly seq: number
  readonly nextDue: number | undefined
}

export interface Append {
  readonly stream: string
  /** The sequence of the first entry. Entries below the stream's next sequence are known and passed over. */
  readonly sequence: number
  readonly entries: readonly { readonly kind: string; readonly data: Uint8Array }[]
  readonly at: number
  /** No entry comes after these. */
  readonly end?: boolean
}

/** The sequence of an append is beyond the next one: something is missing in between. */
export class StreamGap extends Error {
  override readonly name = 'StreamGap'
  readonly next: number
  constructor(next: number) {
    super(`the next sequence is ${next}`)
    this.next = next
  }
}

/** Append-only, sequenced from 0 without gaps, durable when `append` resolves. Concurrent appends are written in one batch. */
export interface Streams {
  /**
   * Answers the next sequence. Idempotent by sequence. What waits to be written is bounded.
   * @throws StreamGap; Failure FAILED_PRECONDITION where the stream has ended, UNAVAILABLE where too much waits
   */
  append(append: Append): Promise<{ readonly next: number }>
  /** What is stored above `after`, in order. */
  read(stream: string, after: number, limit: number): Promise<readonly StreamEntry[]>
  head(stream: string): Promise<{ readonly first: number; readonly next: number; readonly ended: boolean }>
}

/** What became durable, told to whoever listens in this process, and as a hint to other processes. Never the truth itself. */
export interface FeedItem {
  readonly ref: ActorRef
  readonly seq: number
  /** Present where this process made the step. */
  readonly row?: ActorRow
  readonly step?: JournalEntry
}

export interface StreamItem {
  readonly stream: string
  /** Present where this process wrote them; otherwise only the hint that there is more. */
  readonly entries?: readonly StreamEntry[]
  readonly ended: boolean
}

export interface Feed {
  publish(items: readonly FeedItem[]): void
  publishStream(item: StreamItem): void
  /** Items in the order in which this process learned of them. The listener must not throw and must not wait. Returns the end. */
  onActor(id: string, listener: (item: FeedItem) => void): () => void
  onKind(kind: ActorKind, listener: (item: FeedItem) => void): () => void
  onStream(stream: string, listener: (item: StreamItem) => void): () => void
  /** Called when hints of other processes may have been missed: who follows something looks at what is stored. Returns the end. */
  onGap(listener: () => void): () => void
  /**
   * A time on the monotonic clock. What any process committed before it has been announced here, or `onGap` was called since.
   * It is normally less than half a second old. It does not advance while another process or the connection is silent.
   */
  confirmedUntil(): number
}

export interface Clock {
  /** Milliseconds since 1970, by the database: for what is stored, shown, or due at a time of day. It jumps if its clock is set. */
  now(): number
  /** Milliseconds since some start, for durations: never set, and never goes back. It may stand still while the machine sleeps. */
  monotonic(): number
  /** Calls back once after `ms`; returns the cancellation. Does not keep the process alive. */
  after(ms: number, callback: () => void): () => void
}

export interface Ids {
  next(kind: ActorKind): string
}

/** Files of any size under a name of `[a-z0-9/_-]`. */
export interface Blobs {
  /** Appends at `offset`, which must be the current size; durable when it resolves. Answers the new size. */
  append(name: string, offset: number, data: Uint8Array): Promise<number>
  size(name: string): Promise<number | undefined>
  read(name: string, from: number, to: number): AsyncIterable<Uint8Array>
  remove(name: string): Promise<void>
}

/** What memory knows of heartbeats, written back in batches so that a restart or a second process loses nobody. */
export interface PresenceStore {
  /** Writes the latest heartbeats; of one agent in one call the latest wins, otherwise the last call. Vitals that are left out stay. */
  write(beats: readonly Pick<Beat, 'agentId' | 'at' | 'vitals'>[]): Promise<void>
  read(agentIds: readonly string[]): Promise<ReadonlyMap<string, number>>
}

/**
 * Telemetry: records without a lifecycle, kept by the month. An append is atomic: all its records are kept or none. A record whose
 * `recordId` was kept in the last seven days (of the same kind, whichever process kept it) is passed over, also within one append and
 * at the same time. What is kept is durable when `append` resolves. Where it fails, whether it was kept is not known: the
 * sender repeats, and names its records to have each once.
 */
export interface Telemetry extends TelemetryReader {
  append(records: readonly TelemetryRecord[]): Promise<{ readonly kept: number; readonly duplicates: number }>
}

/**
 * What is kept of tool calls: no lifecycle, by the month. What `append` was given is durable when it resolves; appends of one moment
 * are written together.
 */
export interface ToolCalls extends ToolCallReader {
  append(call: ToolCallRecord): Promise<void>
}

export interface Definitions {
  /** Keeps a definition under its hash, for ever. Idempotent. */
  keep(definition: {
    readonly kind: ActorKind
    readonly machine: MachineRef
    readonly definition: string
  }): Promise<void>
  /** Every actor that is not terminal and stands on another version or chart, in pages, for the dry run at start. */
  onOtherDefinitions(
    kind: ActorKind,
    machine: MachineRef,
    after: string | undefined,
    limit: number,
  ): Promise<readonly StoredActor[]>
}

/**
 * Documents of actors that no step has written: those that were there before their kind could be searched, or before what it is
 * found by was changed. A kind is filled once. A document that a step has written is never replaced by an older one.
 */
export interface SearchIndex {
  /** Whether every actor of the kind has its document, of this version or a later one. */
  isFilled(kind: ActorKind, version: number): Promise<boolean>
  /** Actors of the kind without such a document, in the order of their IDs. */
  missing(kind: ActorKind, version: number, after: string | undefined, limit: number): Promise<readonly ActorRef[]>
  /** Where the actor has no document of this version or a later one. Idempotent. @throws CommitFailed where one can't be written */
  fill(documents: readonly { readonly ref: ActorRef; readonly document: SearchDocument }[]): Promise<void>
  setFilled(kind: ActorKind, version: number): Promise<void>
}

/** Milliseconds and bytes. A time-out of `Infinity` is none: only for streams, and with a `signal` that ends them. */
export interface OutboundLimits {
  /** For the look-up, the connection and TLS; each redirect has it anew. */
  readonly connectMs: number
  /** From the last byte of the request to the first of the answer; each redirect has it anew. */
  readonly firstByteMs: number
  /** From the call to the last byte of the body, redirects included. */
  readonly wholeMs: number
  /** Of the body of the answer, as it comes. */
  readonly maxBytes: number
}

/** As for `fetch`, with what it lacks. Headers that frame the message (Host, Content-Length, Connection …) are passed over. */
export interface OutboundRequest extends Pick<RequestInit, 'method' | 'headers' | 'body' | 'redirect' | 'signal'> {
  /** Names of headers that are credentials, beside Authorization, Cookie, Proxy-Authorization and others known as such. */
  readonly credentialHeaders?: readonly string[]
  readonly limits?: Partial<OutboundLimits>
}

/**
 * HTTP to every address that a user, a document or a peer gave, and to no other: hosts of the settings are the administrator's.
 *
 * - A host is looked up once. All its addresses must be public or in `OUTBOUND_ALLOW`, and the connection is made to one of them,
 *   under the name of the URL (Host, SNI, certificate). No connection is used twice.
 * - At most five redirects are followed, each checked as the first URL is; never from https to http. Credentials go to the first
 *   origin alone, and so does a body that is not turned into a GET.
 * - Each time-out and the limit of the body hold while it is read, too. The body must be read or cancelled: until then, or until
 *   its time is out, the connection is open. It comes as it was sent: nothing is unpacked.
 * - Nothing is sent twice, but for what a redirect asks for.
 */
export interface Outbound {
  /**
   * Any status is an answer. It may be given to libraries that take a `fetch`.
   * @throws OutboundFailed, here and while the body is read; the reason of `signal` where that has ended it
   */
  fetch(url: string | URL, request?: OutboundRequest): Promise<Response>
}

export type { ActorRef, Columns, JournalEntry, Timer }
