/** One subscription of one socket: validates it, follows its topic, and adds its payloads to the socket's queue in order. */
import {
  type ExecutionResult,
  GraphQLError,
  type GraphQLFormattedError,
  getArgumentValues,
  getVariableValues,
} from 'graphql'
import { Failure } from '../../spec/core/failure.ts'
import { cursorOf, type HistoryPosition } from '../../spec/core/historyPosition.ts'
import type { GatewayMetrics } from '../observability/metrics.ts'
import type { Executor } from '../operations/execute.ts'
import type { Subscription, Topic, TopicItem } from '../operations/handler.ts'
import type { RequestContext } from '../operations/requestContext.ts'
import { type FollowSources, follow } from '../subscriptions/follow.ts'
import type { FollowSink } from '../subscriptions/following.ts'
import type { SendQueue } from '../websocket/sendQueue.ts'
import type { GraphqlEngine } from './engine.ts'
import { type Group, type Payload, type PayloadGroups, sequenceOf } from './payloads.ts'
import { DocumentRefused } from './pipeline/documentRefused.ts'
import type { Prepared } from './pipeline/prepared.ts'
import type { Parameters } from './schema/parameters.ts'

export interface SubscriptionServices {
  readonly engine: GraphqlEngine
  readonly executor: Executor
  readonly groups: PayloadGroups
  readonly sources: FollowSources
  readonly metrics: GatewayMetrics
}

export interface Subscriber {
  /** The operation's ID on its socket. */
  readonly id: string
  readonly queue: SendQueue
  readonly context: RequestContext
  /** The subscription has ended and has sent its last message to the client. */
  ended(): void
}

const noop = (): void => {}

/** The maximum number of payloads in progress for one subscription. Above it, the subscriber is too slow. */
const mostPending = 1_000

export class LiveSubscription implements FollowSink {
  readonly #subscriber: Subscriber
  readonly #services: SubscriptionServices
  readonly #topic: string
  readonly #group: Group
  /** The bytes before the payload in each message. */
  readonly #head: Buffer
  #stopFollowing = noop
  #over = false
  /** The sequence of the last item that was added to the queue. */
  #lastSequence: number | undefined
  #lastPosition: HistoryPosition | undefined
  #tail: Promise<void> | undefined
  #pending = 0

  private constructor(subscriber: Subscriber, services: SubscriptionServices, topic: string, group: Group) {
    this.#subscriber = subscriber
    this.#services = services
    this.#topic = topic
    this.#group = group
    this.#head = Buffer.from(`{"id":${JSON.stringify(subscriber.id)},"type":"next","payload":`)
  }

  /** @throws Failure, DocumentRefused */
  static async start(
    prepared: Prepared,
    parameters: Parameters,
    subscriber: Subscriber,
    services: SubscriptionServices,
  ): Promise<LiveSubscription> {
    const { context } = subscriber
    const operation = subscriptionOf(prepared, services.engine)
    const given = readArguments(operation, prepared, parameters, services.engine)
    const { topic, input } = await services.executor.follow(operation, given, context)
    const variables = parameters.variables ?? {}
    const group = services.groups.join({ operation, prepared, variables, input, context })
    const live = new LiveSubscription(subscriber, services, topicName(topic), group)
    services.metrics.subscriptions.inc()
    live.#stopFollowing = follow(topic, services.sources, live)
    if (live.#over) live.#stopFollowing()
    return live
  }

  /** Ends without a message: the client canceled the subscription, or has disconnected. */
  stop(): void {
    if (this.#over) return
    this.#over = true
    this.#stopFollowing()
    this.#group.leave()
    this.#services.metrics.subscriptions.dec()
  }

  end(): void {
    const message = `{"id":${JSON.stringify(this.#subscriber.id)},"type":"complete"}`
    this.#afterPending(() => this.#finish(message))
  }

  fail(error: unknown): void {
    this.#afterPending(() => this.#fail(error))
  }

  item(item: TopicItem, stored: boolean): void | Promise<void> {
    if (this.#over) return
    const { queue } = this.#subscriber
    if (!stored && (queue.full || this.#pending > mostPending)) {
      this.#tooSlow()
      return
    }
    let payload: Payload | Promise<Payload>
    try {
      payload = this.#group.payload(item, this.#topic)
    } catch (error) {
      this.#fail(error)
      return
    }
    if (this.#tail === undefined && !(payload instanceof Promise)) this.#send(payload, item)
    else this.#sendLater(payload, item)
    return stored ? (this.#tail ?? Promise.resolve()).then(() => queue.room()) : undefined
  }

  /** Sends payloads in the order of their items, however long each takes to build. */
  #sendLater(payload: Payload | Promise<Payload>, item: TopicItem): void {
    this.#pending++
    const before = this.#tail ?? Promise.resolve()
    const sent = before
      .then(() => payload)
      .then(
        (made) => this.#send(made, item),
        (error) => this.#fail(error),
      )
      .finally(() => {
        this.#pending--
        if (this.#tail === sent) this.#tail = undefined
      })
    this.#tail = sent
  }

  #afterPending(work: () => void): void {
    if (this.#tail === undefined) work()
    else void this.#tail.then(work)
  }

  #send(payload: Payload, item: TopicItem): void {
    if (this.#over || payload === undefined) return
    this.#lastSequence = sequenceOf(item)
    this.#lastPosition = item.type === 'transition' ? item.position : undefined
    this.#services.metrics.delivered()
    const body = Buffer.isBuffer(payload) ? payload : this.#withErrors(payload)
    this.#subscriber.queue.push({ head: this.#head, body })
  }

  #withErrors(result: ExecutionResult): Buffer {
    const { engine } = this.#services
    return Buffer.from(`${JSON.stringify(engine.formatted(result, this.#subscriber.context.requestId))}}`)
  }

  #tooSlow(): void {
    this.#services.metrics.queueDrops.inc()
    const { sent, details } = this.#lastSent()
    this.#fail(new Failure('UNAVAILABLE', `This subscriber is too slow; ${sent}.`, { details }))
  }

  #lastSent(): { readonly sent: string; readonly details: Readonly<Record<string, unknown>> } {
    const [sequence, position] = [this.#lastSequence, this.#lastPosition]
    if (sequence === undefined) return { sent: 'nothing was sent', details: { lastSequence: null } }
    if (position === undefined)
      return { sent: `the last sequence sent is ${sequence}`, details: { lastSequence: sequence } }
    const lastCursor = cursorOf(position)
    return { sent: `the last cursor sent is ${lastCursor}`, details: { lastCursor } }
  }

  #fail(error: unknown): void {
    if (this.#over) return
    const { errors } = this.#services.engine.refusal(error, this.#subscriber.context.requestId)
    this.#finish(errorMessage(this.#subscriber.id, errors))
  }

  #finish(message: string): void {
    if (this.#over) return
    this.stop()
    this.#subscriber.queue.push(message)
    this.#subscriber.ended()
  }
}

export function errorMessage(id: string, errors: readonly GraphQLFormattedError[]): string {
  return JSON.stringify({ id, type: 'error', payload: errors })
}

function subscriptionOf(prepared: Prepared, engine: GraphqlEngine): Subscription {
  const name = prepared.rootFields[0]?.name.value
  const operation = engine.operations.get(`subscription ${name}`)
  if (operation?.kind !== 'subscription') throw new Failure('BAD_USER_INPUT', 'There is no subscription of this name.')
  return operation
}

function readArguments(
  operation: Subscription,
  prepared: Prepared,
  { variables }: Parameters,
  { schema }: GraphqlEngine,
): Readonly<Record<string, unknown>> {
  const [node] = prepared.rootFields
  const field = schema.getSubscriptionType()?.getFields()[operation.name]
  if (!node || !field) throw new Failure('BAD_USER_INPUT', 'There is no subscription of this name.')
  const coerced = getVariableValues(schema, prepared.operation.variableDefinitions ?? [], variables ?? {})
  if (!coerced.variableValues) throw new DocumentRefused('BAD_USER_INPUT', coerced.errors ?? [])
  try {
    return getArgumentValues(field, node, coerced.variableValues)
  } catch (error) {
    if (error instanceof GraphQLError) throw new DocumentRefused('BAD_USER_INPUT', [error])
    throw error
  }
}

function topicName(topic: Topic): string {
  switch (topic.type) {
    case 'stream':
      return `stream ${topic.name}`
    case 'transitions':
      return 'transitions'
    default:
      return topic.type
  }
}
