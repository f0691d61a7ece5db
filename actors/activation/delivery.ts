/** A message on its way to an actor, with who waits for its outcome. */
import type { Failure } from '../../spec/core/failure.ts'
import type { AnyActorRow } from '../anyKind.ts'
import type { Message } from '../decide/message.ts'

/** How the processing of a message ended. Each message has exactly one outcome. */
export type Outcome =
  /** It caused a transition, which is durable. */
  | { readonly type: 'committed'; readonly row: AnyActorRow }
  /** An earlier message had the same effect. Nothing was written. */
  | { readonly type: 'repeated'; readonly row: AnyActorRow }
  /** The outbox row that it delivers is gone: another process, or an earlier attempt, has delivered it. */
  | { readonly type: 'consumed' }
  /** A request that came first has its idempotency key. The sender looks it up and repeats the answer. */
  | { readonly type: 'keyTaken' }
  | { readonly type: 'refused'; readonly failure: Failure }

export interface Delivery {
  readonly message: Message
  /**
   * A message that is still queued at this time is not processed; on the monotonic clock. Undefined for a message of the runtime
   * itself: it has no deadline and does not count toward the bounds of queues, since the dispatcher bounds it.
   */
  readonly deadline: number | undefined
  /** Called once. */
  end(outcome: Outcome): void
}
