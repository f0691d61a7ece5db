import type { ActorEvent, Json } from '../../spec/core/actor.ts'
import type { OperatorAct } from '../../spec/operators/operatorAct.ts'
import type { Origin } from '../messages.ts'
import type { IdempotencyRecord } from '../ports/journal.ts'

/** A message in a mailbox. */
export interface Message {
  readonly event: ActorEvent
  readonly create?: Readonly<Record<string, Json>> | undefined
  readonly origin: Origin
  /** Where an operator does it; then `event` is what the actor hears of it. */
  readonly act?: OperatorAct | undefined
  /** The outbox row that this message answers or delivers. */
  readonly consumes?: string | undefined
  /** The effect of whose failure this message tells its actor. */
  readonly reportsFailure?: string | undefined
  readonly idempotency?: Omit<IdempotencyRecord, 'at'> | undefined
  readonly expectedSequence?: number | undefined
}
