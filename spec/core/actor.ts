/** What every actor looks like from outside its machine: its name, its row, its messages and its history. */
import type { ActorKind } from './ids.ts'

export interface ActorRef {
  readonly kind: ActorKind
  readonly id: string
}

/** JSON as it is stored: no `undefined`, no dates, no control characters but those that JSON escapes. */
export type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json | undefined }

/** An event for an actor's machine. The runtime adds `at`, milliseconds since 1970, before it decides. */
export interface ActorEvent {
  readonly type: string
  readonly [key: string]: unknown
}

/**
 * What reads filter, sort and join by: columns beside the snapshot, one fixed vocabulary for all kinds, so that a new kind
 * needs no new column. A machine derives them from its state; they are written in the statement that writes the snapshot.
 */
export interface Columns {
  /** The machine's top state in upper snake case, or INCIDENT; what `status` is on every surface. */
  readonly status: string
  readonly phase?: string | undefined
  /** No actor leaves a terminal state. */
  readonly terminal: boolean
  readonly agentId?: string | undefined
  readonly worktreeId?: string | undefined
  /** What this one belongs to: a worktree's codebase, a codebase's folder, a job's run, a key's user, a run's owner. */
  readonly scopeId?: string | undefined
  /** Unique within the kind while it is set: a token's hash, an email, `agent|path`. */
  readonly uniqueKey?: string | undefined
  /** A second unique name, in the same name space as `uniqueKey`: an agent's new credential while the old one is still valid. */
  readonly otherKey?: string | undefined
  /** The kind's own order, milliseconds since 1970: a run's `queuedAt`. */
  readonly sortAt?: number | undefined
  /** `displayNumber`. */
  readonly number?: number | undefined
  /** When this state will have lasted longer than its `meta` expects, milliseconds since 1970; then the actor counts as stuck. */
  readonly stuckAt?: number | undefined
  /** Nothing watches this state: no timer, no lease, no `meta.unbounded`. Stuck unless an effect of its own is pending. */
  readonly unwatched: boolean
  /** How many of its effects have failed for good and wait for an operator. */
  readonly incidents: number
}

/** An actor as views return it: what every `…Record` function in spec/ makes its answer of. */
export interface ActorRow extends ActorRef {
  readonly seq: number
  readonly columns: Columns
  readonly createdAt: number
  readonly changedAt: number
  /** The machine's state value, as XState writes it. */
  readonly value: Json
  /** What can change, without `init`. */
  readonly context: Readonly<Record<string, unknown>>
  /** What the actor was made with; never changes. */
  readonly init: Readonly<Record<string, unknown>>
  readonly timers: readonly Timer[]
  readonly machine: MachineRef
}

/** A delayed event. It counts only while the snapshot still holds it, and `setBy` tells two visits to one state apart. */
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
  /** The beginning of the SHA-256 of the definition, Base64url: a chart is drawn from what ran. */
  readonly hash: string
}

export type CauseType = 'request' | 'agent' | 'timer' | 'effect' | 'actor' | 'operator' | 'migration'

/** One step of one actor, as it stands in the journal. */
export interface JournalEntry extends ActorRef {
  readonly seq: number
  readonly at: number
  readonly event: string
  readonly payload: Json
  /** State values; `from` is null for the first step. */
  readonly from: Json
  readonly to: Json
  readonly status: string
  /** Top-level keys of the context that changed, with their new values; redacted by the machine's own rule. */
  readonly change: Readonly<Record<string, Json>>
  readonly timers: { readonly set: readonly Timer[]; readonly canceled: readonly string[] }
  readonly effects: readonly { readonly id: string; readonly type: string; readonly to?: string | undefined }[]
  readonly cause: { readonly type: CauseType; readonly id?: string | undefined; readonly reason?: string | undefined }
  readonly principal: string
  readonly requestId: string
  readonly machine: MachineRef
}

/** An effect that was decided and is not yet confirmed. */
export interface PendingEffect {
  /** `actor:sequence:index`; the idempotency key of the effect. */
  readonly id: string
  readonly actor: ActorRef
  readonly type: string
  readonly params: Json
  /** How many were begun, the present one included. */
  readonly attempts: number
  /** When it is tried again, milliseconds since 1970. */
  readonly due: number
  /** Set when its attempts are spent: it waits for an operator. */
  readonly failure?: string | undefined
}

/** A log chunk, a run event: one entry of an append-only stream. */
export interface StreamEntry {
  /** From 0, without gaps. */
  readonly sequence: number
  readonly at: number
  readonly kind: string
  readonly data: Uint8Array
}
