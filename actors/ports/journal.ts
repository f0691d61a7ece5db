import type { Columns, Json, MachineRef } from '../../spec/core/actor.ts'
import type { RunMeasurement } from '../../spec/runs/runMeasurement.ts'
import type { Searchable } from '../../spec/search/searchable.ts'
import type { AnyActorRef } from '../anyKind.ts'

/** An actor as it is stored. */
export interface StoredActor extends AnyActorRef {
  readonly seq: number
  /** The token of the process that last wrote the actor. */
  readonly owner: string
  readonly machine: MachineRef
  readonly columns: Columns
  readonly nextDue: number | undefined
  /** JSON of `{ value, context, timers }`. It never contains a raw line end. */
  readonly snapshot: string
  /** JSON of the values that the actor was created with. Written only at creation. */
  readonly init: string
  readonly members: readonly (readonly [string, Json])[]
  /** Present if `members` are only those that changed since the known state (`LoadRequest`). */
  readonly delta?: MemberDelta
  /** The reason why the actor cannot be read: its members are not valid JSON. Actors that are loaded with it are not affected. */
  readonly unreadable?: string
  readonly createdAt: number
  readonly changedAt: number
}

export interface MemberDelta {
  /** Keys of members that were removed since the known state. Some may have been added after it too. */
  readonly removed: readonly string[]
}

/** An actor to load. `known` is a durable state that the caller still has with all its members. */
export interface LoadRequest extends AnyActorRef {
  readonly known?: KnownState | undefined
}

/**
 * Identifies a transition by its sequence, the process that wrote it, and its times. The sequence alone does not identify it if a
 * failover lost transactions.
 */
export interface KnownState {
  readonly seq: number
  readonly owner: string
  readonly createdAt: number
  readonly changedAt: number
}

/** One transition of one actor, ready to be written. */
export interface Write {
  readonly ref: AnyActorRef
  /** The state on which the transition was decided. The transition is written only if the stored state is still this one. */
  readonly expected: 'absent' | { readonly seq: number; readonly owner: string }
  readonly seq: number
  readonly machine: MachineRef
  readonly columns: Columns
  /** When the timers of the actor must be checked, milliseconds since 1970. At the time of the earliest timer or before it. */
  readonly nextDue: number | undefined
  readonly snapshot: string
  /** Only with `expected: 'absent'`. */
  readonly init: string | undefined
  readonly at: number
  /** The journal row: the event, by which queries filter, and the rest as JSON. */
  readonly entry: { readonly event: string; readonly detail: string }
  readonly effects: readonly NewEffect[]
  readonly members: readonly { readonly key: string; readonly value: Json | undefined }[]
  /**
   * The outbox row that this transition answers. It is deleted in the same commit, because an effect has one outcome. The transition is
   * lost if the row does not exist any more or has the state failed.
   */
  readonly consumes: string | undefined
  /** The decision about an effect that has failed permanently. If it is set, `consumes` is undefined. */
  readonly decides?: EffectDecision | undefined
  /** Stored in the same commit. The transition is lost if the key already exists. */
  readonly idempotency: IdempotencyRecord | undefined
  /** The new search document of the actor. Absent if the transition did not change it. */
  readonly document?: SearchDocument | undefined
  /** The new measurement of the run. Absent if the transition did not change it. That of a run that has ended is never replaced. */
  readonly measurement?: RunMeasurement | undefined
}

export interface SearchDocument {
  /** The version of the kind's search function (`Definition.searchVersion`). */
  readonly version: number
  /** Undefined if searches must not find the actor, or must not find it any more. */
  readonly found: Searchable | undefined
}

/**
 * Executed in the commit of the transition.
 * - `reportFailure`: the transition reports the failure to the actor, so the row is marked as reported.
 * - `retry` (an operator's decision): resets the attempts of the effect and keeps its ID.
 * - `giveUp` (an operator's decision): deletes the row.
 *
 * The transition is lost (`consumed`) if the effect has not failed. `reportFailure` is also lost if the failure is already reported,
 * `retry` and `giveUp` if it is not reported yet.
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
  /** SHA-256 of the canonical input, in hexadecimal. */
  readonly inputHash: string
  readonly at: number
  /** The actor that the request is about to create, if its first message goes to another actor. */
  readonly made?: AnyActorRef | undefined
}

/**
 * Why a transition was not written although others of its batch were.
 * - `fence`: the stored state is not the one on which it was decided.
 * - `consumed`: the effect that it answers or decides about is gone.
 * - `idempotency`: its idempotency key exists.
 * - `exists`: the actor that it creates exists.
 * - `unique`: another actor has its unique name.
 */
export type LostReason = 'fence' | 'consumed' | 'idempotency' | 'exists' | 'unique'

export interface CommitResult {
  /** By index into the batch. Absent if the transition was written. */
  readonly lost: ReadonlyMap<number, LostReason>
}

/** The statement failed. Nothing of the batch was written. */
export class CommitFailed extends Error {
  override readonly name = 'CommitFailed'
  /**
   * Whether the same batch may be sent again, because its content was not the cause: for example after a deadlock, on a full disk, or if
   * the connection was lost before anything was sent.
   */
  readonly repeatable: boolean
  /** A row has a unique name that another actor already has. */
  readonly unique: boolean
  constructor(message: string, kind: 'repeatable' | 'unique' | 'invalid', options?: ErrorOptions) {
    super(message, options)
    this.repeatable = kind === 'repeatable'
    this.unique = kind === 'unique'
  }
}

/** The connection was lost before the reply came. The batch was written completely or not at all. Call `settle` to find out. */
export class CommitUncertain extends Error {
  override readonly name = 'CommitUncertain'
}

/**
 * The storage of actors. `commit` is one transaction for the whole batch. When it resolves, all parts of every transition that passed its
 * fence are durable together: the journal row, snapshot, columns, members, effects, consumed effects, document, measurement and idempotency key. Nothing
 * of a lost transition is written. A caller may send a batch before earlier ones were answered. Batches are executed in order. A batch has
 * at most one transition of an actor.
 */
export interface Journal {
  /**
   * Reads the actors. Unknown ones are absent from the result. Loading does not change `owner`: the next commit does. If the known state of
   * an actor is the stored one or an earlier one of the same history, members that have not changed since then are left out. Otherwise the
   * whole actor is read.
   */
  load(requests: readonly LoadRequest[]): Promise<ReadonlyMap<string, StoredActor>>
  /**
   * @param doneEffects IDs of effects that were executed and have no result. Their rows are deleted in the same transaction
   * @throws CommitFailed, CommitUncertain
   */
  commit(batch: readonly Write[], doneEffects: readonly string[]): Promise<CommitResult>
  /**
   * Called after an uncertain commit. It ends the database session that may still be committing and opens a new one. Then it returns for
   * each transition whether the journal has it. The actors of the batch may be loaded again only after this.
   */
  settle(batch: readonly Write[]): Promise<readonly boolean[]>
  /** The record under an idempotency key. `actorId` is `made` of the record, or else the actor of the transition. */
  idempotent(key: string): Promise<{ readonly inputHash: string; readonly actorId: string } | undefined>
}
