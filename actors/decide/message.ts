import type { ActorEvent, Json } from '../../spec/core/actor.ts'
import type { OperatorAction } from '../../spec/operators/operatorAction.ts'
import type { Origin } from '../messages.ts'
import type { IdempotencyRecord } from '../ports/journal.ts'

/** A message in an actor's queue. */
export interface Message {
  readonly event: ActorEvent
  readonly create?: Readonly<Record<string, Json>> | undefined
  readonly origin: Origin
  /** Set if an operator sends the message. `event` is then the event that the actor receives. */
  readonly operatorAction?: OperatorAction | undefined
  /** The outbox row that this message answers or delivers. */
  readonly consumes?: string | undefined
  /** The effect whose failure this message reports to the actor. */
  readonly reportsFailure?: string | undefined
  readonly idempotency?: Omit<IdempotencyRecord, 'at'> | undefined
  readonly expectedSequence?: number | undefined
}
