/** How the rest of the program speaks to actors. */
import type { ActorRef, ActorRow, CauseType } from '../spec/actor.ts'
import type { Envelope, Reply } from '../spec/operation.ts'
import type { OperatorDesk } from '../spec/operatorDesk.ts'

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
