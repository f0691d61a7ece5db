/** How the rest of the program speaks to actors. */
import type { ActorEvent, ActorRef, ActorRow, CauseType, Json } from '../spec/core/actor.ts'
import type { OperatorAct } from '../spec/operators/operatorAct.ts'
import type { OperatorDesk } from '../spec/operators/operatorDesk.ts'

/** A message for an actor. With `create`, the actor is made and `event` is how the first journal row names it. */
export interface Envelope {
  readonly to: ActorRef
  readonly event: ActorEvent
  readonly create?: Readonly<Record<string, Json>>
  /** With `create`: where that exists already, under this unique name or without one by its ID, the answer is how it stands. */
  readonly orExisting?: { readonly uniqueKey?: string }
  /** What a later message of the same request makes by this one's leave: kept with the idempotency key, for a repeat. */
  readonly makes?: ActorRef
  /** What an operator does to it; `event` is what the actor hears of that. */
  readonly act?: OperatorAct
  /** Refused with CONFLICT where the actor has moved on from it. */
  readonly expectedSequence?: number
}

/** The state that a message led to. */
export interface Reply {
  readonly row: ActorRow
  /** True where an idempotency key or a repeat was answered as it was the first time: secrets are not shown again. */
  readonly repeated: boolean
  /** Of a repeat: what the first request has made, or was about to make (`Envelope.makes`). */
  readonly made?: ActorRef
}

/** Whence a message comes; journaled with the step that it causes. */
export interface Origin {
  readonly cause: CauseType
  readonly causeId?: string
  /** An operator's reason. */
  readonly reason?: string
  /** `principalName` of who asked; `system` for timers and actors. */
  readonly principal: string
  readonly requestId: string
  /** When the message was received, milliseconds since 1970; deadlines are checked against it. */
  readonly receivedAt: number
}

export interface AskOptions {
  /** Milliseconds until the asker gives up with `UNAVAILABLE`; the step may still be taken. 10,000 where omitted. */
  readonly deadlineMs?: number
  /**
   * Milliseconds of that which the request has taken before it asks: it waited for the database to authenticate its caller, say. At
   * least a second is left.
   */
  readonly spentMs?: number
  readonly idempotency?: { readonly key: string; readonly inputHash: string }
}

export interface System extends OperatorDesk {
  /**
   * Sends a message and waits until the step that it caused is durable. A refusal is thrown as `Failure`, and only after the
   * state that it was decided on is durable too: FAILED_PRECONDITION where the chart does not accept the event, NOT_FOUND,
   * UNAVAILABLE where the mailbox is full, storage is away or the deadline has passed, CONFLICT, and the machine's own refusals.
   */
  ask(envelope: Envelope, origin: Origin, options?: AskOptions): Promise<Reply>
  /**
   * The actor as this process knows it: from memory if it is live, else from storage.
   * @throws Failure UNAVAILABLE if the database does not answer
   */
  peek(ref: ActorRef): Promise<ActorRow | undefined>
  /**
   * What the request with this idempotency key has made, where it was carried out before; waits for one that is under way.
   * Throws `Failure` CONFLICT where that had another input.
   */
  repeated(idempotency: { readonly key: string; readonly inputHash: string }): Promise<Reply | undefined>
}
