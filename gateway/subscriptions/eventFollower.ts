/** Follows a topic and pushes its items to a stream of server-sent events, in order. */
import type { Logger } from 'pino'
import { Failure } from '../../spec/core/failure.ts'
import type { EventSink } from '../http/events/eventFeed.ts'
import { asFailure } from '../http/failures.ts'
import type { GatewayMetrics } from '../observability/metrics.ts'
import type { TopicItem } from '../operations/handler.ts'
import type { FollowSink } from './following.ts'

export interface EventItems {
  /** The ID after which a client continues behind this item. */
  idOf(item: TopicItem): string
  /** The data of the event. Undefined: the item has no event. */
  dataOf(item: TopicItem): object | undefined
}

export interface EventServices {
  readonly log: Logger
  readonly metrics: Pick<GatewayMetrics, 'queueDrops'>
}

export class EventFollower implements FollowSink {
  readonly #stream: EventSink
  readonly #items: EventItems
  readonly #services: EventServices
  readonly #requestId: string
  /** The ID of the last item, whether it had an event or not. */
  #lastId: string | undefined

  constructor(stream: EventSink, items: EventItems, services: EventServices, requestId: string) {
    this.#stream = stream
    this.#items = items
    this.#services = services
    this.#requestId = requestId
  }

  item(item: TopicItem, stored: boolean): void | Promise<void> {
    if (this.#stream.hasEnded) return
    if (!stored && this.#stream.full) {
      this.#services.metrics.queueDrops.inc()
      this.#stream.fail(new Failure('UNAVAILABLE', 'This reader is too slow. Connect again after the last ID.'))
      return
    }
    const id = this.#items.idOf(item)
    this.#lastId = id
    const data = this.#items.dataOf(item)
    if (data !== undefined) this.#stream.push({ id, data })
    return stored ? this.#stream.room() : undefined
  }

  end(): void {
    this.#stream.end(this.#lastId)
  }

  fail(error: unknown): void {
    this.#stream.fail(asFailure(error, this.#services.log, this.#requestId))
  }
}
