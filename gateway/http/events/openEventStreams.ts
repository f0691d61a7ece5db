/** The open streams of server-sent events: each ends with its credential and when the server stops, and their number is limited. */
import type { Clock } from '../../../actors/ports/clock.ts'
import { Failure } from '../../../spec/core/failure.ts'
import type { Identity } from '../../auth/identities.ts'
import type { CredentialHolder, Watch } from '../../auth/principalCache.ts'
import type { Limits } from '../../limits/limits.ts'
import type { GatewayMetrics } from '../../observability/metrics.ts'
import { type ResponseOptions, writeHead } from '../answer.ts'
import type { HttpRequest } from '../request.ts'
import type { Answer } from '../route.ts'
import type { UwsResponse } from '../uws.ts'
import type { EventFeed } from './eventFeed.ts'
import { EventStream } from './eventStream.ts'

export type EventAnswer = Answer & { readonly events: EventFeed }

export interface EventCaller {
  /** The name of the principal, by which streams are counted. */
  readonly name: string
  readonly identity: Identity | undefined
}

interface EventStreamParts {
  readonly limits: Pick<Limits, 'eventStreamsPerPrincipal' | 'socketQueueBytes'>
  readonly clock: Clock
  readonly metrics: Pick<GatewayMetrics, 'eventStreams'>
  /** Notifies the holder when the credential is no longer valid. */
  watch(identity: Identity, holder: CredentialHolder): Watch
}

export class OpenEventStreams {
  readonly #parts: EventStreamParts
  readonly #open = new Set<EventStream>()
  readonly #counts = new Map<string, number>()
  #stopping = false

  constructor(parts: EventStreamParts) {
    this.#parts = parts
  }

  /** @throws Failure RATE_LIMITED if the caller has as many streams as it may have */
  checkCount({ name }: EventCaller): void {
    const { eventStreamsPerPrincipal: most } = this.#parts.limits
    if ((this.#counts.get(name) ?? 0) < most) return
    throw new Failure('RATE_LIMITED', `At most ${most} event streams at once. Close one first.`, {
      retryAfterMs: 1_000,
    })
  }

  /** Resolves when the stream has ended, or the caller has disconnected. */
  async serve(
    res: UwsResponse,
    request: HttpRequest,
    answer: EventAnswer,
    delivery: ResponseOptions,
    caller: EventCaller,
  ): Promise<void> {
    const head = { ...answer, headers: { ...answer.headers, ...eventHeaders } }
    if (request.method === 'HEAD') {
      res.cork(() => {
        writeHead(res, request, head, delivery)
        res.endWithoutBody(0, delivery.close)
      })
      return
    }
    const { clock, limits, metrics } = this.#parts
    res.cork(() => writeHead(res, request, head, delivery))
    const stream = new EventStream(res, { limit: limits.socketQueueBytes, clock, requestId: request.requestId })
    request.lifetime.signal.addEventListener('abort', () => stream.leave())
    const watch = caller.identity && this.#parts.watch(caller.identity, this.#holderOf(stream))
    this.#open.add(stream)
    this.#count(caller, 1)
    metrics.eventStreams.inc()
    const stop = answer.events(stream)
    // It was accepted before the stop, and is ended after its first events.
    if (this.#stopping) stream.fail(serverIsStopping())
    await stream.ended
    stop()
    await stream.over
    watch?.end()
    this.#open.delete(stream)
    this.#count(caller, -1)
    metrics.eventStreams.dec()
  }

  /** The server stops. Clients continue elsewhere, or after the start, with their last IDs. */
  endAll(): void {
    this.#stopping = true
    for (const stream of [...this.#open]) stream.fail(serverIsStopping())
  }

  #holderOf(stream: EventStream): CredentialHolder {
    return {
      ended: () => stream.fail(new Failure('UNAUTHENTICATED', 'The credential is no longer valid.')),
      inUse: () => true,
    }
  }

  #count({ name }: EventCaller, change: 1 | -1): void {
    const count = (this.#counts.get(name) ?? 0) + change
    if (count === 0) this.#counts.delete(name)
    else this.#counts.set(name, count)
  }
}

/** No cache stores it, and no proxy gathers events before it passes them on (nginx: `X-Accel-Buffering`). */
const eventHeaders = {
  'content-type': 'text/event-stream; charset=utf-8',
  'cache-control': 'no-store, no-transform',
  'x-accel-buffering': 'no',
}

function serverIsStopping(): Failure {
  return new Failure('UNAVAILABLE', 'The server is stopping. Connect again.', { retryAfterMs: 1_000 })
}
