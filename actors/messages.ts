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
   * With `create`. `ask` does not read it: if `ask` refuses because the actor exists, `executeMutation` answers with its present state. It
   * finds the actor by its ID, or by this unique name.
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
  /**
   * The actor that is stored with the idempotency key: which the first request created, was to create (`Envelope.makes`), or changed.
   * Undefined unless `ask` recognized a repeat by its key.
   */
  readonly made?: ActorRef<K>
}

/** A request that was carried out with an idempotency key. */
export interface KeptRequest<K extends string> {
  /** The actor that the request created, requested (`Envelope.makes`) or changed. */
  readonly made: ActorRef<K>
  /** Its present state. Undefined if it does not exist yet. */
  readonly row: ActorRow<K> | undefined
}

/** The origin of a message. It is stored in the journal with the transition that the message causes. */
export interface Origin {
  readonly cause: CauseType
  readonly causeId?: string
  /** The reason that an operator gave. */
  readonly reason?: string
  /**
   * For a request `principalName` of the caller. For a message of an actor, or the result of its effect, the ID of that actor. `system` for
   * timers and the work of the server itself.
   */
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
   * Sends a message and waits until the transition that it caused is durable. A refusal is thrown as `Failure`. If the machine has decided it,
   * the state on which it was decided is durable by then:
   * - FAILED_PRECONDITION: the chart does not accept the event.
   * - NOT_FOUND: the actor does not exist.
   * - UNAVAILABLE: a queue of messages is full, storage is unavailable, the server stops, or the deadline has passed.
   * - INTERNAL: a defect, or an actor in quarantine.
   * - CONFLICT, and the machine's own refusals.
   */
  ask(envelope: Envelope<K>, origin: Origin, options?: AskOptions): Promise<Reply<K>>
  /**
   * The actor's state: from memory if the actor has an activation in this process, otherwise from storage.
   * @throws Failure UNAVAILABLE if the database does not answer
   */
  peek(ref: ActorRef<K>): Promise<ActorRow<K> | undefined>
  /**
   * The request that was carried out with this idempotency key. Waits for a request that is in flight. Undefined if there was none.
   * @throws Failure CONFLICT if that request had another input
   */
  repeated(idempotency: { readonly key: string; readonly inputHash: string }): Promise<KeptRequest<K> | undefined>
}
