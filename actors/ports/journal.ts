import type { ActorRef, Columns, Json, MachineRef } from '../../spec/core/actor.ts'
import type { Searchable } from '../../spec/search/searchable.ts'

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

export interface NewEffect {
  /** `actor:sequence:index`. */
  readonly id: string
  readonly type: string
  readonly params: Json
}

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
