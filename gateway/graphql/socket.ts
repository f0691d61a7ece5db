/** The server's side of `graphql-transport-ws`, for one socket. */

import { randomUUID } from 'node:crypto'
import { agentRevokedReason } from '../../spec/agents/agentRevoked.ts'
import { Failure } from '../../spec/core/failure.ts'
import type { Principal } from '../../spec/core/principal.ts'
import { authorize, needsCredential } from '../auth/access.ts'
import { AgentRevoked, type Authenticated } from '../auth/authenticate.ts'
import type { Carriers } from '../auth/credentials.ts'
import type { Watch } from '../auth/principalCache.ts'
import type { Envelope } from '../messages.ts'
import type { RequestContext } from '../operations/requestContext.ts'
import type { SendQueue } from '../websocket/sendQueue.ts'
import { enrolling, prepareEnrolling } from './enrollment.ts'
import type { Charge } from './limits/charge.ts'
import type { Prepared } from './pipeline/prepared.ts'
import { type Parameters, parametersFrom } from './schema/parameters.ts'
import type { SocketServices } from './socketServices.ts'
import { errorMessage, LiveSubscription } from './subscribe.ts'

export interface SocketPeer {
  readonly address: string
  /** Session cookies of the upgrade, whose origin was checked. */
  readonly cookies: readonly string[]
  readonly queue: SendQueue
  /** Sends the waiting messages that the network accepts, then closes. */
  close(code: number, reason: string): void
  context(principal: Principal, requestId: string, onDisconnect: (envelope: Envelope) => void): RequestContext
}

interface ClientMessage {
  readonly type: string
  readonly id?: unknown
  readonly payload?: unknown
}

/** An operation whose end neither side has sent. */
interface OpenOperation {
  readonly id: string
  /** False until its document is read. */
  isSubscription: boolean
  /** Set when the subscription has started. */
  live?: LiveSubscription
}

const noop = (): void => {}
const unwatched: Watch = { used: noop, end: noop }

export class GraphqlSocket {
  readonly #peer: SocketPeer
  readonly #services: SocketServices
  readonly #operations = new Map<string, OpenOperation>()
  /** Messages that are sent when the socket closes: the latest for each actor. */
  readonly #farewells = new Map<string, Envelope>()
  #who: Authenticated | undefined
  #initialized = false
  #running = 0
  #closed = false
  #cancelInit: () => void
  #watch: Watch = unwatched

  constructor(peer: SocketPeer, services: SocketServices) {
    this.#peer = peer
    this.#services = services
    this.#cancelInit = services.clock.after(services.limits.connectionInitMs, () =>
      this.#close(4408, 'Connection initialisation timeout'),
    )
  }

  get principal(): Principal | undefined {
    return this.#who?.principal
  }

  async message(text: string): Promise<void> {
    const message = parse(text)
    if (!message) return this.#close(4400, 'Invalid message')
    switch (message.type) {
      case 'connection_init':
        return await this.#init(message.payload)
      case 'ping':
        return this.#peer.queue.push(JSON.stringify({ type: 'pong', payload: message.payload }))
      case 'pong':
        return
      case 'subscribe':
        return await this.#subscribe(message, text)
      case 'complete':
        return this.#complete(message.id)
      default:
        return this.#close(4400, `Unexpected message of type ${message.type.slice(0, 40)}`)
    }
  }

  /** The socket has closed. */
  closed(): void {
    if (this.#closed) return
    this.#closed = true
    this.#cancelInit()
    this.#watch.end()
    for (const { live } of this.#operations.values()) live?.stop()
    this.#operations.clear()
    const { principal } = this
    if (principal) for (const envelope of this.#farewells.values()) this.#services.farewell(envelope, principal)
  }

  #close(code: number, reason: string): void {
    if (!this.#closed) this.#peer.close(code, reason)
  }

  async #init(payload: unknown): Promise<void> {
    if (this.#initialized) return this.#close(4429, 'Too many initialisation requests')
    this.#initialized = true
    try {
      const carriers = carriersOf(payload, this.#peer.cookies)
      const who = await this.#services.authenticator.carriers(carriers, this.#peer.address)
      if (this.#closed) return
      authorize('This socket', 'graphql', who.principal)
      this.#cancelInit()
      this.#cancelInit = noop
      this.#who = who
      if (who.identity)
        this.#watch = this.#services.watch(who.identity, {
          ended: (isRevoked) => this.#close(4401, isRevoked ? agentRevokedReason : 'Unauthorized'),
          inUse: () => this.#operations.size > 0,
        })
      // A caller without a credential may only enroll, and not keep the socket open.
      else
        this.#cancelInit = this.#services.clock.after(this.#services.limits.connectionInitMs * 3, () =>
          this.#close(4401, 'Unauthorized'),
        )
      this.#peer.queue.push('{"type":"connection_ack"}')
    } catch (error) {
      this.#refuse(error)
    }
  }

  #refuse(error: unknown): void {
    const requestId = randomUUID()
    const [code, reason] = closing(this.#services.engine.refusal(error, requestId).failure, requestId)
    this.#close(code, reason)
  }

  async #subscribe({ id, payload }: ClientMessage, text: string): Promise<void> {
    const who = this.#who
    if (!who) return this.#close(4401, 'Unauthorized')
    if (typeof id !== 'string' || id === '') return this.#close(4400, 'A subscribe message needs an id')
    if (this.#operations.has(id)) return this.#close(4409, `Subscriber for ${id.slice(0, 60)} already exists`)
    if (who.principal.kind === 'anonymous') return await this.#enroll(id, payload, text)
    this.#watch.used()
    await this.#carryOut(this.#open(id), payload, who.principal)
  }

  /** The raw message must satisfy the same rule as an anonymous HTTP body. */
  async #enroll(id: string, payload: unknown, text: string): Promise<void> {
    try {
      if (Buffer.byteLength(text) > this.#services.limits.anonymousBodyBytes) throw needsCredential('graphql')
      const guest = await enrolling(text, this.#services.authenticator, this.#peer.address)
      const parameters = parametersFrom(payload)
      prepareEnrolling(parameters, guest, this.#services.engine)
      await this.#carryOut(this.#open(id), payload, guest.principal)
    } catch (error) {
      const { failure } = this.#services.engine.refusal(error, randomUUID())
      this.#refuse(failure?.code === 'UNAVAILABLE' ? failure : new Failure('UNAUTHENTICATED', 'Unauthorized'))
    }
  }

  #open(id: string): OpenOperation {
    const operation = { id, isSubscription: false }
    this.#operations.set(id, operation)
    return operation
  }

  /** Returns false if the client canceled the operation or the socket closed. The client may have used its ID again. */
  #isOpen(operation: OpenOperation): boolean {
    return this.#operations.get(operation.id) === operation
  }

  /** Returns whether the client waits for the end. */
  #end(operation: OpenOperation): boolean {
    return this.#isOpen(operation) && this.#operations.delete(operation.id)
  }

  async #carryOut(operation: OpenOperation, payload: unknown, principal: Principal): Promise<void> {
    const { engine } = this.#services
    const requestId = randomUUID()
    const context = this.#peer.context(principal, requestId, (envelope) => this.#keepFarewell(envelope))
    try {
      if (this.#services.inFlight.stopping)
        throw new Failure('UNAVAILABLE', 'The server is stopping.', { retryAfterMs: 1_000 })
      const parameters = parametersFrom(payload)
      const prepared = engine.prepare(parameters, principal)
      const charge = await engine.spend(prepared, parameters, context)
      if (prepared.operation.operation === 'subscription') {
        this.#countSubscription(operation, principal)
        const ended = () => void this.#end(operation)
        const subscriber = { id: operation.id, queue: this.#peer.queue, context, ended }
        const live = await LiveSubscription.start(prepared, parameters, subscriber, this.#services)
        // The client canceled it or the socket closed while it was starting.
        if (this.#isOpen(operation)) operation.live = live
        else live.stop()
        return
      }
      await this.#run(operation, prepared, parameters, context, charge)
    } catch (error) {
      const refusal = engine.refusal(error, requestId)
      if (this.#end(operation)) this.#peer.queue.push(errorMessage(operation.id, refusal.errors))
    }
  }

  async #run(
    operation: OpenOperation,
    prepared: Prepared,
    parameters: Parameters,
    context: RequestContext,
    charge: Charge,
  ): Promise<void> {
    const { engine, limits, inFlight } = this.#services
    const most = limits.operationsPerSocket
    if (this.#running >= most)
      throw new Failure('RATE_LIMITED', `At most ${most} queries and mutations in flight on a socket.`, {
        details: { limit: most },
        retryAfterMs: 100,
      })
    this.#running++
    inFlight.begin()
    try {
      const { json } = await engine.run(prepared, parameters, context, charge)
      if (!this.#end(operation)) return
      const quoted = JSON.stringify(operation.id)
      this.#peer.queue.push(`{"id":${quoted},"type":"next","payload":${json}}`)
      this.#peer.queue.push(`{"id":${quoted},"type":"complete"}`)
    } finally {
      this.#running--
      inFlight.end()
    }
  }

  /** Queries and mutations in flight have a limit of their own. @throws Failure RATE_LIMITED */
  #countSubscription(operation: OpenOperation, principal: Principal): void {
    const { limits } = this.#services
    const most = principal.kind === 'agent' ? limits.subscriptionsPerAgentSocket : limits.subscriptionsPerSocket
    let count = 0
    for (const { isSubscription } of this.#operations.values()) if (isSubscription) count++
    if (count >= most)
      throw new Failure('RATE_LIMITED', `At most ${most} subscriptions on a socket.`, {
        details: { limit: most },
        retryAfterMs: 1_000,
      })
    operation.isSubscription = true
  }

  #complete(id: unknown): void {
    if (typeof id !== 'string') return
    this.#operations.get(id)?.live?.stop()
    this.#operations.delete(id)
  }

  #keepFarewell(envelope: Envelope): void {
    // The socket may have closed while the operation that registered this message was in flight.
    if (this.#closed && this.principal) this.#services.farewell(envelope, this.principal)
    else this.#farewells.set(envelope.to.id, envelope)
  }
}

/** Clients retry after some close codes and not after others: graphql-ws retries after 4403, but not after 4401. */
function closing(failure: Failure | undefined, requestId: string): readonly [number, string] {
  switch (failure?.code) {
    case 'UNAUTHENTICATED':
      return [4401, failure instanceof AgentRevoked ? agentRevokedReason : 'Unauthorized']
    case 'RATE_LIMITED':
      return [4401, 'Too many failed credentials']
    case 'FORBIDDEN':
      return [4403, 'Forbidden']
    case 'UNAVAILABLE':
      return [1013, 'Try again later']
    case 'BAD_USER_INPUT':
      return [4400, 'Invalid message']
    default:
      return [4500, `Internal server error (${requestId})`]
  }
}

function parse(text: string): ClientMessage | undefined {
  try {
    const value: unknown = JSON.parse(text)
    const typed = value !== null && typeof value === 'object' && 'type' in value && typeof value.type === 'string'
    return typed ? (value as ClientMessage) : undefined
  } catch {
    return undefined
  }
}

function carriersOf(payload: unknown, cookies: readonly string[]): Carriers {
  const found = { authorization: undefined as string | undefined, apiKey: undefined as string | undefined }
  if (payload === null || typeof payload !== 'object') return { ...found, cookies }
  for (const [name, value] of Object.entries(payload)) {
    const lower = name.toLowerCase()
    if (lower !== 'authorization' && lower !== 'x-api-key') continue
    // Clients send `null` for “none”. Any other value that is not a string is not a valid credential.
    if (value === null || value === undefined) continue
    found[lower === 'authorization' ? 'authorization' : 'apiKey'] = typeof value === 'string' ? value : ''
  }
  return { ...found, cookies }
}
