/** The types of actors outside their machines: reference, row, message and history. */
import type { ActorKind } from './ids.ts'

/** @typeParam K the kinds of the actors. The runtime does not know them. */
export interface ActorRef<K extends string = ActorKind> {
  readonly kind: K
  readonly id: string
}

/** JSON as it is stored: no `undefined`, no dates, and no control characters except escaped ones. */
export type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json | undefined }

/** An event for an actor's machine. The runtime adds `at`, milliseconds since 1970, before the machine decides. */
export interface ActorEvent {
  readonly type: string
  readonly [key: string]: unknown
}

/**
 * The values by which reads filter, sort and join: columns beside the snapshot. All kinds use the same columns, so a new kind
 * needs no new one. A machine derives them from its state, and one statement writes them together with the snapshot.
 */
export interface Columns {
  /** The machine's top state in upper snake case, or INCIDENT. All surfaces show it as `status`. */
  readonly status: string
  readonly phase?: string | undefined
  /** No actor leaves a terminal state. */
  readonly terminal: boolean
  readonly agentId?: string | undefined
  readonly worktreeId?: string | undefined
  /** The ID of the owner: a worktree's codebase, a codebase's repository, a job's run, a key's user, a run's owner. */
  readonly scopeId?: string | undefined
  /** Unique within the kind if it is set: a token's hash, an email, `agent|path`. */
  readonly uniqueKey?: string | undefined
  /** A second unique name, in the same name space as `uniqueKey`: an agent's new credential while the old one is still valid. */
  readonly otherKey?: string | undefined
  /** The kind's own sort order, milliseconds since 1970: a run's `queuedAt`. */
  readonly sortAt?: number | undefined
  /** `displayNumber`. */
  readonly number?: number | undefined
  /**
   * The time at which this state has lasted longer than its `meta` expects, milliseconds since 1970. From then on the actor
   * counts as stuck.
   */
  readonly stuckAt?: number | undefined
  /** This state has no timer, no lease and no `meta.unbounded`. The actor is stuck unless one of its own effects is pending. */
  readonly unwatched: boolean
  /** The number of the actor’s effects that have exhausted their attempts and wait for an operator. */
  readonly incidents: number
}

/** An actor as views return it. Every `…Record` function in spec/ builds its answer from it. */
export interface ActorRow<K extends string = ActorKind> extends ActorRef<K> {
  readonly seq: number
  readonly columns: Columns
  readonly createdAt: number
  readonly changedAt: number
  /** The machine's state value, in XState's format. */
  readonly value: Json
  /** The context without `init`. */
  readonly context: Readonly<Record<string, unknown>>
  /** The values with which the actor was created. They never change. */
  readonly init: Readonly<Record<string, unknown>>
  readonly timers: readonly Timer[]
  readonly machine: MachineRef
}

/** A delayed event. It is valid only while the snapshot contains it. `setBy` distinguishes two visits to one state. */
export interface Timer {
  readonly id: string
  readonly event: string
  /** Milliseconds since 1970. */
  readonly due: number
  /** The sequence of the transition that set it. */
  readonly setBy: number
}

export interface MachineRef {
  readonly version: number
  /** The beginning of the SHA-256 of the definition, Base64url. A chart is drawn from the definition that was used. */
  readonly hash: string
}

export type CauseType = 'request' | 'agent' | 'timer' | 'effect' | 'actor' | 'operator' | 'migration'

/** One transition of one actor, as the journal stores it. */
export interface JournalEntry<K extends string = ActorKind> extends ActorRef<K> {
  readonly seq: number
  readonly at: number
  readonly event: string
  readonly payload: Json
  /** State values; `from` is null for the first transition. */
  readonly from: Json
  readonly to: Json
  readonly status: string
  /** Top-level keys of the context that changed, with their new values. The machine's rule redacts them. */
  readonly change: Readonly<Record<string, Json>>
  readonly timers: { readonly set: readonly Timer[]; readonly canceled: readonly string[] }
  readonly effects: readonly { readonly id: string; readonly type: string; readonly to?: string | undefined }[]
  readonly cause: { readonly type: CauseType; readonly id?: string | undefined; readonly reason?: string | undefined }
  readonly principal: string
  readonly requestId: string
  readonly machine: MachineRef
}

/** An effect that a transition requested and that is not yet confirmed. */
export interface PendingEffect<K extends string = ActorKind> {
  /** `actor:sequence:index`; the idempotency key of the effect. */
  readonly id: string
  readonly actor: ActorRef<K>
  readonly type: string
  readonly params: Json
  /** The number of attempts that were begun, including the current one. */
  readonly attempts: number
  /** The number of attempts that ended with a problem. The other ended attempts did not end by themselves: their process ended. */
  readonly failures: number
  /** The time of the next attempt, milliseconds since 1970. */
  readonly due: number
  /** Set if its attempts are exhausted and it waits for an operator. */
  readonly failure?: string | undefined
}

/** One entry of an append-only stream: a log chunk, a run event. */
export interface StreamEntry {
  /** From 0, without gaps. */
  readonly sequence: number
  readonly at: number
  readonly kind: string
  readonly data: Uint8Array
}
