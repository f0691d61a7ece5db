/**
 * How a machine is declared. A machine is pure: no clock, no randomness, no IO, no `invoke`. Time and IDs come in with the event
 * (`event.at`, milliseconds since 1970). Side effects are named actions with plain parameters. `after` becomes a durable timer.
 *
 * A machine is either one lifecycle (states at the root), or parallel with a region named `lifecycle`. Other regions have what can be true
 * at the same time (a drain, a pause, an INCIDENT).
 */
import type { AnyStateMachine, ContextFrom, EventFrom, EventObject, SnapshotFrom } from 'xstate'
import type { ActorEvent, ActorRef, Columns, Json } from '../../spec/core/actor.ts'
import type { Failure } from '../../spec/core/failure.ts'
import { type ActorKind, isActorKind, type Redaction, redactionOf } from '../../spec/core/kinds.ts'
import type { forcedTransitionEvent } from '../../spec/operators/operatorAction.ts'
import type { RunMeasurement } from '../../spec/runs/runMeasurement.ts'
import type { Searchable } from '../../spec/search/searchable.ts'
import type { Members } from './members.ts'

/** The description of a state, in its `meta`. Every state of a lifecycle has one. */
export interface StateMeta {
  /** For people: "Waiting for a slot". */
  readonly label: string
  /** The event or person that the state waits for: "an agent to accept it". */
  readonly waitsFor?: string
  /** How long this state should take, in milliseconds. A longer time counts as stuck, although no deadline ends the state. */
  readonly expected?: number
  /** Presence ends this state when the agent is silent. It has no timer row. */
  readonly lease?: string
  /** Whom the state waits for, if it has no deadline on purpose. */
  readonly unbounded?: string
}

/** The parts of a machine's context that the runtime uses. */
export interface MachineContext {
  /** The values that the actor was created with. They are stored once and never written again. */
  readonly init: Readonly<Record<string, Json>>
  /** The actor's collection of values that may grow. They are stored as rows of their own. */
  readonly members?: Members
  readonly [key: string]: unknown
}

/** The input of a machine's first transition. */
export interface MachineInput<I = MachineContext['init']> {
  readonly id: string
  readonly init: I
  readonly at: number
}

/** The types for `setup`. A caller that creates an actor passes the `init` that its context keeps. */
export function typesOf<C extends MachineContext, E extends EventObject>() {
  return { context: {} as C, events: {} as E, input: {} as MachineInput<C['init']>, tags: {} as 'terminal' }
}

/** A stored state, which a migration changes. */
export interface StoredState {
  readonly value: Json
  readonly context: Record<string, Json>
}

/** A message to another actor, as the parameters of the action `tell`. It is repeated until it is answered. A refusal is an answer. */
export interface Tell<K extends string = ActorKind> {
  readonly to: ActorRef<K>
  readonly event: ActorEvent
  /** Creates the actor if it does not exist. If it exists, the message counts as answered. */
  readonly create?: Readonly<Record<string, Json>>
  /** Returned in `refused`, so that the sender can identify the message. */
  readonly echo?: Json
}

/** A snapshot in the form that a definition's functions receive. */
export interface StateView<C = MachineContext, V = Json> {
  readonly value: V
  readonly context: C
}

/** The event that an actor receives when an operator forces a transition into another state. */
export interface ForcedTransition {
  readonly type: typeof forcedTransitionEvent
  readonly at: number
  readonly to: string
}

export interface OperatorEvent {
  /** The consequence of the event, for the operator who sends it: "Force-end run". */
  readonly label: string
  /** The IDs that the event requires, by name, each with the kinds that its actor may have. None if this is omitted. */
  readonly ids?: Readonly<Record<string, readonly string[]>>
}

/** The functions receive context, state value and events as the machine types them. */
export interface Definition<C = MachineContext, V = Json, E = ActorEvent, K extends string = ActorKind> {
  readonly kind: K
  /** Raised with every incompatible change of the states or the context. */
  readonly version: number
  readonly machine: AnyStateMachine
  /** The custom actions that become outbox rows. `tell` is always one. Any other custom action is a defect. */
  readonly effects: readonly string[]
  /** Columns in addition to those that the runtime derives itself (status from the lifecycle, terminal, stuckAt, incidents). */
  columns?(state: StateView<C, V>): Partial<Omit<Columns, 'terminal' | 'stuckAt' | 'incidents' | 'unwatched'>>
  /**
   * The search document of a state. Undefined if searches must not find the actor, for example because it was removed. If a definition does
   * not have this function, the kind is not searched. It must never contain a secret or a redacted value, because everyone who searches can
   * read it.
   */
  search?(state: StateView<C, V>): Searchable | undefined
  /**
   * Raised if `search` returns another document for the same state. At the start, the older documents are then created again. 1 if omitted.
   */
  readonly searchVersion?: number
  /** The measurement of a run, which the insights count. Undefined before the run has started or ended. It never changes after the end. */
  measure?(state: StateView<C, V>): RunMeasurement | undefined
  /**
   * A domain rule that refuses an event which the chart would accept, before the transition is decided, for example because the worktree
   * is in use. The failure states what is wrong and what is right.
   */
  refuse?(state: StateView<C, V>, event: E): Failure | undefined
  /** Whether this event repeats one that led to the present state. The reply is then the present state, and no journal row is written. */
  repeats?(state: StateView<C, V>, event: E): boolean
  /**
   * Keys with secrets, which are never stored in the journal, and keys with personal data, which operators do not see. Those of the
   * registration (`spec/core/kinds.ts`) if this is omitted.
   */
  readonly redact?: Redaction
  /** Whether operator actions are possible. They are not for the kinds of identity. */
  readonly operable: boolean
  /** The events that an operator may send, by type. All others come from actors, agents and effects. */
  readonly operatorEvents?: Readonly<Record<string, OperatorEvent>>
  /**
   * States at the top of the lifecycle into which an operator may put the actor. The entry of such a state must do all that the state
   * needs. States that depend on what another actor does (its job runs) are not allowed.
   */
  readonly operatorStates?: readonly string[]
  /**
   * Migrations from each earlier version to the next one. Pure. They are tried on every snapshot that is not terminal before the server
   * starts.
   */
  readonly migrations?: Readonly<Record<number, (old: StoredState) => StoredState>>
}

/** A definition with the types of its actors' rows, which only the compiler sees. */
export interface TypedDefinition<K extends string = ActorKind, C = MachineContext>
  extends Definition<MachineContext, Json, ActorEvent, K> {
  readonly types?: { readonly context: C }
}

/**
 * The helpers receive what their own machine has made, so the runtime does not need its types. The redaction of the product's kinds is that
 * of their registration.
 */
export function define<K extends string, M extends AnyStateMachine>(
  definition: Definition<ContextFrom<M>, SnapshotFrom<M>['value'], EventFrom<M>, K> & {
    readonly machine: M
  },
): TypedDefinition<K, ContextFrom<M>> {
  const registered = isActorKind(definition.kind) ? { redact: redactionOf(definition.kind) } : {}
  return Object.freeze({ ...registered, ...definition }) as unknown as TypedDefinition<K, ContextFrom<M>>
}
