/**
 * Answers requests for event streams. An unknown object, a position that is not stored any more and an ID that is not valid are refused
 * before the stream begins. The first event is `endpoint`. It has an ID too: a client that is cut off before the next event then continues
 * from there.
 */
import { Failure } from '../../spec/core/failure.ts'
import type { Principal } from '../../spec/core/principal.ts'
import type { EndpointEvent } from '../../spec/rest/eventStreamRoute.ts'
import type { HttpRequest } from '../http/request.ts'
import type { Answer } from '../http/route.ts'
import { currentServerUrls } from '../operations/builds/resolveServerUrls.ts'
import type { Executor } from '../operations/execute.ts'
import type { Subscription, Topic, TopicItem } from '../operations/handler.ts'
import type { RequestContext } from '../operations/requestContext.ts'
import { EventFollower, type EventItems, type EventServices } from './eventFollower.ts'
import { type FollowSources, follow } from './follow.ts'

export interface EventCall {
  readonly request: HttpRequest
  readonly principal: Principal
  readonly query: { readonly lastEventId?: string | undefined }
}

export interface EventOpening extends EventItems {
  readonly topic: Topic
  /** The ID at which it begins. Undefined: at the beginning. */
  readonly beginId: string | undefined
}

export interface EventAnswerParts extends EventServices {
  readonly sources: FollowSources
  readonly executor: Pick<Executor, 'follow'>
  contextOf(request: HttpRequest, principal: Principal): RequestContext
}

export class EventAnswers {
  readonly sources: FollowSources
  readonly #parts: EventAnswerParts

  constructor(parts: EventAnswerParts) {
    this.sources = parts.sources
    this.#parts = parts
  }

  async open({ request, principal }: EventCall, { topic, beginId, ...items }: EventOpening): Promise<Answer> {
    const { contextOf } = this.#parts
    const urls = await currentServerUrls(contextOf(request, principal))
    const endpoint: EndpointEvent = {
      endpointPath: request.path,
      localUrl: urls.local,
      remoteUrl: urls.remote,
      proxyUrl: urls.proxy,
      publicUrl: urls.remote,
    }
    return {
      status: 200,
      events: (stream) => {
        stream.push({ ...(beginId === undefined ? {} : { id: beginId }), event: 'endpoint', data: endpoint })
        return follow(topic, this.sources, new EventFollower(stream, items, this.#parts, request.requestId))
      },
    }
  }

  /**
   * Opens a stream of what a subscription to a stream sends. The ID of each event is its sequence. If the stream has ended and nothing
   * follows the caller's ID, the answer is 204: it tells an `EventSource` not to connect again.
   * @param args the arguments of the subscription, without the sequence
   */
  async openSubscription(call: EventCall, operation: Subscription, args: object): Promise<Answer> {
    const { executor, contextOf } = this.#parts
    const context = contextOf(call.request, call.principal)
    const lastId = lastEventId(call)
    const afterSequence = lastId === undefined ? undefined : sequenceOf(lastId)
    const { topic, input } = await executor.follow(operation, { ...args, afterSequence }, context)
    if (topic.type !== 'stream') throw new Error(`${operation.name} does not follow a stream`)
    if (afterSequence !== undefined && (await this.#hasEnded(topic))) return { status: 204 }
    return await this.open(call, {
      topic,
      beginId: lastId,
      idOf: (item) => String(entryOf(item).sequence),
      dataOf: (item) => operation.payload(item, input as never, context) as object | undefined,
    })
  }

  /** Whether the stream has ended and nothing follows the position. @throws Failure HISTORY_GONE */
  async #hasEnded({ name, after }: Extract<Topic, { type: 'stream' }>): Promise<boolean> {
    const { first, next, ended } = await this.sources.views.stream(name, { after, limit: 1 })
    if (after >= 0 && after + 1 < first)
      throw new Failure(
        'HISTORY_GONE',
        `What follows ${after} is not kept any more; the first that is kept is ${first}.`,
        {
          details: { first },
        },
      )
    if (ended) return after + 1 >= next
    if (after >= next)
      throw new Failure('HISTORY_GONE', 'This ID is ahead of all that the server has. Begin again without it.')
    return false
  }
}

/**
 * The position of the caller: the header that clients send when they reconnect, otherwise the query, with which a page continues after a
 * reload. Undefined if the caller gives none.
 */
export function lastEventId({ request, query }: Pick<EventCall, 'request' | 'query'>): string | undefined {
  return request.headers.get('last-event-id') || query.lastEventId || undefined
}

/** @throws Failure BAD_USER_INPUT */
export function notAnEventId(): Failure {
  const problem = 'must be the ID of an event that this stream has sent'
  return new Failure('BAD_USER_INPUT', `Last-Event-ID: ${problem}`, { details: { field: 'Last-Event-ID', problem } })
}

function sequenceOf(id: string): number {
  if (!/^\d{1,15}$/.test(id)) throw notAnEventId()
  return Number(id)
}

function entryOf(item: TopicItem) {
  if (item.type !== 'entry') throw new Error(`a stream has an item of type ${item.type}`)
  return item.entry
}
