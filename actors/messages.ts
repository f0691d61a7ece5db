/** The interface through which the rest of the program sends messages to actors. */
import type { ActorEvent, ActorRef, ActorRow, CauseType, Json } from '../spec/core/actor.ts'
import type { OperatorAction } from '../spec/operators/operatorAction.ts'
import type { OperatorActionReader } from '../spec/operators/operatorActionReader.ts'

/** A message for an actor. With `create`, the actor is created, and `event` is the event in its first journal row. */
export interface Envelope<K extends string> {
  readonly to: ActorRef<K>
  readonly event: ActorEvent
  readonly create?: Readonly<Record<string, Json>>
  /**
   * With `create`: if the actor exists already, the reply is its present state. It is found by this unique name, or by its ID if there is
   * no name.
   */
  readonly orExisting?: { readonly uniqueKey?: string }
  /**
   * The actor that a later message of the same request creates if this message succeeds. It is stored with the idempotency key, for a
   * repeat.
   */
  readonly makes?: ActorRef<K>
  /** The operator action. `event` is then the event that the actor receives. */
  readonly operatorAction?: OperatorAction
  /** The message is refused with CONFLICT if the actor has another sequence. */
  readonly expectedSequence?: number
}

/** The state that a message led to. */
export interface Reply<K extends string> {
  readonly row: ActorRow<K>
  /** True if the request is a repeat, by its idempotency key or by the machine's rule. Secrets are not returned again. */
  readonly repeated: boolean
  /** For a repeat: the actor that the first request created, or was to create (`Envelope.makes`). */
  readonly made?: ActorRef<K>
}

/** The origin of a message. It is stored in the journal with the transition that the message causes. */
export interface Origin {
  readonly cause: CauseType
  readonly causeId?: string
  /** The reason that an operator gave. */
  readonly reason?: string
  /** `principalName` of the caller. `system` for timers and actors. */
  readonly principal: string
  readonly requestId: string
  /** When the message was received, milliseconds since 1970. Deadlines are checked against it. */
  readonly receivedAt: number
}

export interface AskOptions {
  /** Milliseconds until the ask fails with `UNAVAILABLE`. The transition may still be committed. 10,000 if omitted. */
  readonly deadlineMs?: number
  /**
   * Milliseconds of the deadline that the request used before the ask, for example while its authentication waited for the database. At
   * least one second is left.
   */
  readonly spentMs?: number
  readonly idempotency?: { readonly key: string; readonly inputHash: string }
}

/** @typeParam K the kinds of its actors */
export interface System<K extends string> extends OperatorActionReader<K> {
  /**
   * Sends a message and waits until the transition that it caused is durable. A refusal is thrown as `Failure`, and only after the state on
   * which it was decided is durable too:
   * - FAILED_PRECONDITION: the chart does not accept the event.
   * - NOT_FOUND: the actor does not exist.
   * - UNAVAILABLE: the actor's queue is full, storage is unavailable, or the deadline has passed.
   * - CONFLICT, and the machine's own refusals.
   */
  ask(envelope: Envelope<K>, origin: Origin, options?: AskOptions): Promise<Reply<K>>
  /**
   * The actor's state: from memory if the actor has an activation in this process, otherwise from storage.
   * @throws Failure UNAVAILABLE if the database does not answer
   */
  peek(ref: ActorRef<K>): Promise<ActorRow<K> | undefined>
  /**
   * The actor that the request with this idempotency key created, if that request was carried out before. Waits for one that is in flight.
   * @throws Failure CONFLICT if that request had another input
   */
  repeated(idempotency: { readonly key: string; readonly inputHash: string }): Promise<Reply<K> | undefined>
}
