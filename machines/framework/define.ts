/**
 * How a lifecycle is declared. A machine is pure: no clock, no randomness, no IO, no `invoke`. Time and IDs come in with the
 * event (`event.at`, milliseconds since 1970), side effects go out as named actions with plain parameters, `after` becomes a
 * durable timer.
 *
 * A machine is either one lifecycle (states at the root) or parallel with a region named `lifecycle`; other regions hold what
 * can be true at once (a drain, a pause, an INCIDENT).
 */
import type { AnyStateMachine, ContextFrom, EventFrom, EventObject, SnapshotFrom } from 'xstate'
import type { ActorEvent, ActorRef, Columns, Json } from '../../spec/core/actor.ts'
import type { Failure } from '../../spec/core/failure.ts'
import type { ActorKind } from '../../spec/core/ids.ts'
import type { moved } from '../../spec/operators/operatorAct.ts'
import type { Searchable } from '../../spec/search/searchable.ts'
import type { Members } from './members.ts'

/** What every state of a lifecycle says of itself, in its `meta`. */
export interface StateMeta {
  /** In a person's words: "Waiting for its turn". */
  readonly label: string
  /** What it waits for: "an agent to accept it". */
  readonly waitsFor?: string
  /** Milliseconds that this state should take; longer counts as stuck though no deadline ends it. */
  readonly expected?: number
  /** Presence watches it: silence of the agent ends it, no timer row does. */
  readonly lease?: string
  /** Who is waited for, where there is no deadline on purpose. */
  readonly unbounded?: string
}

/** What a machine's context looks like to the runtime. */
export interface MachineContext {
  /** What the actor was made with; stored once, never written again. */
  readonly init: Readonly<Record<string, Json>>
  /** The actor's collection, where it keeps what may grow; stored as rows of its own. */
  readonly members?: Members
  readonly [key: string]: unknown
}

/** The input of a machine's first step. */
export interface MachineInput<I = MachineContext['init']> {
  readonly id: string
  readonly init: I
  readonly at: number
}

/** What `setup` is told of a machine's types: who makes an actor gives it the `init` that its context keeps. */
export function typesOf<C extends MachineContext, E extends EventObject>() {
  return { context: {} as C, events: {} as E, input: {} as MachineInput<C['init']>, tags: {} as 'terminal' }
}

/** A message to another actor, as the parameters of the action `tell`. Repeated until it is answered; a refusal is an answer. */
export interface Tell {
  readonly to: ActorRef
  readonly event: ActorEvent
  /** Makes the actor where it does not exist; where it does, the message counts as answered. */
  readonly create?: Readonly<Record<string, Json>>
  /** Comes back with `refused`, so that the sender recognises what it had told. */
  readonly echo?: Json
}

/** A snapshot as the helpers of a definition see it. */
export interface StateView<C = MachineContext, V = Json> {
  readonly value: V
  readonly context: C
}

/** What an actor hears that an operator has put into another state. */
export interface Moved {
  readonly type: typeof moved
  readonly at: number
  readonly to: string
}

export interface OperatorEvent {
  /** What it does, for the one who sends it: "Ask its agent to stop it". */
  readonly label: string
  /** What it carries, by key: the ID of an actor of that kind. Nothing where omitted. */
  readonly ids?: Readonly<Record<string, ActorKind>>
}

/** The helpers see context, state value and events as the machine types them. */
export interface Definition<C = MachineContext, V = Json, E = ActorEvent> {
  readonly kind: ActorKind
  /** Raised with every incompatible change of states or context. */
  readonly version: number
  readonly machine: AnyStateMachine
  /** The custom actions that become outbox rows; `tell` is always one. Any other custom action is a defect. */
  readonly effects: readonly string[]
  /** Columns beside those that the runtime derives itself (status from the lifecycle, terminal, stuckAt, incidents). */
  columns?(state: StateView<C, V>): Partial<Omit<Columns, 'terminal' | 'stuckAt' | 'incidents' | 'unwatched'>>
  /**
   * What it is found by in a search; undefined where it is not to be found, as one that was removed. Without it the kind is not
   * searched. Never a secret, and nothing that is redacted: whoever searches reads it.
   */
  search?(state: StateView<C, V>): Searchable | undefined
  /** Raised where `search` says something else of the same state: at the start, documents of before are made anew. 1 where omitted. */
  readonly searchVersion?: number
  /**
   * A domain rule that refuses an event which the chart would accept, before anything is decided: the queue is full, the
   * worktree is in use. It says what is wrong and what is right.
   */
  refuse?(state: StateView<C, V>, event: E): Failure | undefined
  /**
   * Whether this event is the repeat of one that led here; it is then answered with the state as it is, without a journal row.
   */
  repeats?(state: StateView<C, V>, event: E): boolean
  /** Keys of event payloads (by event type) and of the context that never stand in a journal or on an operator's screen. */
  readonly redact?: {
    readonly events?: Readonly<Record<string, readonly string[]>>
    readonly context?: readonly string[]
    /** Keys of what the actor was made with. */
    readonly init?: readonly string[]
  }
  /** Identity kinds take no acts of operators. */
  readonly operable: boolean
  /** Events that an operator may send, by type; the others come from actors, agents and effects. */
  readonly operatorEvents?: Readonly<Record<string, OperatorEvent>>
  /**
   * States at the top of the lifecycle into which an operator may put it: what is entered there is whole by its entry alone. Those
   * that stand for what another actor does (its job runs) are none.
   */
  readonly operatorStates?: readonly string[]
  /** From each earlier version, one step forward. Pure; tried on every live snapshot before the server starts. */
  readonly migrations?: Readonly<
    Record<
      number,
      (old: { value: Json; context: Record<string, Json> }) => { value: Json; context: Record<string, Json> }
    >
  >
}

/** A definition with the types of its actors' rows, which only the compiler sees. */
export interface TypedDefinition<K extends ActorKind = ActorKind, C = MachineContext> extends Definition {
  readonly kind: K
  readonly types?: { readonly context: C }
}

/** The helpers receive what their own machine has made, so the runtime does not need its types. */
export function define<K extends ActorKind, M extends AnyStateMachine>(
  definition: Definition<ContextFrom<M>, SnapshotFrom<M>['value'], EventFrom<M>> & {
    readonly kind: K
    readonly machine: M
  },
): TypedDefinition<K, ContextFrom<M>> {
  return Object.freeze(definition) as unknown as TypedDefinition<K, ContextFrom<M>>
}
