/** WebSockets of both listeners: the upgrade with its checks, the send queue, and the close. */
import { setTimeout as sleep } from 'node:timers/promises'
import { Failure } from '../../spec/core/failure.ts'
import type { Principal } from '../../spec/core/principal.ts'
import { sessionCookies } from '../auth/cookies.ts'
import { GraphqlSocket, type SocketPeer } from '../graphql/socket.ts'
import type { SocketServices } from '../graphql/socketServices.ts'
import { write } from '../http/answer.ts'
import { asFailure, restRefusal } from '../http/failures.ts'
import { checkHeadSize, type RequestHead, readHead } from '../http/request.ts'
import type { Responder } from '../http/respond.ts'
import {
  noCompression,
  sendInTwo,
  type UpgradeContext,
  type UwsBehavior,
  type UwsRequest,
  type UwsResponse,
  type UwsSocket,
} from '../http/uws.ts'
import type { Envelope } from '../messages.ts'
import type { RequestContext } from '../operations/requestContext.ts'
import { type OutMessage, SendQueue, type Wire } from './sendQueue.ts'

const protocol = 'graphql-transport-ws'

interface Closing {
  readonly code: number
  readonly reason: string
}

/** The data that uWebSockets.js stores for each socket. */
export interface SocketData {
  /** The head of the upgrade. Removed when the socket is open. */
  head: RequestHead | undefined
  /** The reason to close the socket as soon as it is open. Before that, a client cannot receive a reason. */
  readonly refusal: Closing | undefined
  open?: OpenSocket
}

export interface Sockets {
  readonly behavior: UwsBehavior<SocketData>
  /** Closes every socket with this code and reason. */
  closeAll(code: number, reason: string): void
  /** Resolves when no socket is open, or after `withinMs`. */
  empty(withinMs: number): Promise<void>
}

export interface SocketOptions {
  readonly server: Responder
  readonly services: SocketServices
  context(
    head: RequestHead,
    principal: Principal,
    requestId: string,
    onDisconnect: (envelope: Envelope) => void,
  ): RequestContext
}

/** uWebSockets.js returns 0 if it accepted the message and the network is full, and 2 if it dropped the message. */
const taken = 1
const dropped = 2

export function graphqlSockets(options: SocketOptions): Sockets {
  const open = new Set<OpenSocket>()
  const { limits, metrics } = options.services
  const behavior: UwsBehavior<SocketData> = {
    compression: noCompression,
    // uWebSockets.js closes larger messages without a reason (1006). Up to this size the close can have a reason (1009).
    maxPayloadLength: 4 * limits.webSocketMessageBytes,
    // The send queue limits what waits. uWebSockets.js holds only the data of one flush.
    maxBackpressure: 0,
    idleTimeout: limits.socketIdleSeconds,
    sendPingsAutomatically: true,
    upgrade: (res, req, context) => upgrade(res, req, context, options.server),
    open: (ws) => {
      const data = ws.getUserData()
      if (data.head === undefined) return
      const socket = new OpenSocket(ws, data.head, options)
      data.head = undefined
      data.open = socket
      open.add(socket)
      metrics.sockets.inc()
      if (data.refusal) socket.close(data.refusal.code, data.refusal.reason)
    },
    message: (ws, message, isBinary) => {
      const socket = ws.getUserData().open
      if (message.byteLength > limits.webSocketMessageBytes) socket?.close(1009, 'The message is too big')
      else if (isBinary) socket?.close(4400, 'Invalid message')
      else void socket?.graphql.message(Buffer.from(message).toString())
    },
    drain: (ws) => ws.getUserData().open?.queue.drained(),
    close: (ws) => {
      const socket = ws.getUserData().open
      if (!socket || !open.delete(socket)) return
      metrics.sockets.dec()
      socket.closed()
    },
  }
  return {
    behavior,
    closeAll: (code, reason) => {
      for (const socket of [...open]) socket.close(code, reason)
    },
    async empty(withinMs) {
      for (let waited = 0; open.size > 0 && waited < withinMs; waited += 20) await sleep(20)
    },
  }
}

/**
 * One socket: the wire below its queue, and the peer of its protocol. There is one for each agent, so its parts are methods, not
 * closures.
 */
class OpenSocket implements Wire, SocketPeer {
  readonly #ws: UwsSocket<SocketData>
  readonly #options: SocketOptions
  readonly #head: RequestHead
  #over = false
  readonly cookies: readonly string[]
  readonly queue: SendQueue
  readonly graphql: GraphqlSocket

  constructor(ws: UwsSocket<SocketData>, head: RequestHead, options: SocketOptions) {
    this.#ws = ws
    this.#options = options
    this.#head = lean(head)
    this.cookies = sessionCookies(head.headers.get('cookie'))
    this.queue = new SendQueue(this, options.services.limits.socketQueueBytes)
    this.graphql = new GraphqlSocket(this, options.services)
  }

  get address(): string {
    return this.#head.address
  }

  context(principal: Principal, requestId: string, onDisconnect: (envelope: Envelope) => void): RequestContext {
    return this.#options.context(this.#head, principal, requestId, onDisconnect)
  }

  send(message: OutMessage): boolean {
    if (this.#over) return true
    const outcome =
      typeof message === 'string' ? this.#ws.send(message) : sendInTwo(this.#ws, message.head, message.body)
    if (outcome === dropped) setImmediate(() => this.close(1013, 'Too slow'))
    return outcome === taken
  }

  cork(work: () => void): void {
    if (!this.#over) this.#ws.cork(work)
  }

  close(code: number, reason: string): void {
    if (this.#over) return
    this.queue.flush()
    this.#over = true
    // A reason has at most 123 bytes.
    this.#ws.end(code, reason.slice(0, 120))
  }

  /** uWebSockets.js has closed the socket. */
  closed(): void {
    this.#over = true
    this.queue.close()
    this.graphql.closed()
  }
}

/** Keeps the parts of the upgrade's head that an open socket needs: the host that the caller used, and its address. */
function lean(head: RequestHead): RequestHead {
  const host = head.headers.get('host')
  return { ...head, headers: new Map(host === undefined ? [] : [['host', host]]) }
}

/**
 * Credentials belong in the connection parameters. A credential in a header of the upgrade is rejected, because it would have no
 * effect.
 */
function headerCredential({ headers }: RequestHead): Closing | undefined {
  const name = ['Authorization', 'X-API-Key'].find((one) => headers.has(one.toLowerCase()))
  return name === undefined
    ? undefined
    : { code: 4401, reason: `Send the credential as a connection parameter, not in the header ${name}` }
}

function upgrade(res: UwsResponse, req: UwsRequest, context: UpgradeContext, server: Responder): void {
  const head = readHead(res, req, server)
  try {
    checkHeadSize(head, server.limits)
    server.origins.checkHost(head)
    server.origins.checkOrigin(head, 'upgrade')
    if (server.inFlight.stopping) throw new Failure('UNAVAILABLE', 'The server is stopping.', { retryAfterMs: 1_000 })
    const offered = (head.headers.get('sec-websocket-protocol') ?? '').split(',').map((name) => name.trim())
    const understood = offered.includes(protocol)
    res.cork(() => {
      res.writeStatus('101 Switching Protocols')
      res.writeHeader('x-request-id', head.requestId)
      res.upgrade<SocketData>(
        { head, refusal: understood ? headerCredential(head) : { code: 4406, reason: 'Subprotocol not acceptable' } },
        head.headers.get('sec-websocket-key') ?? '',
        understood ? protocol : (offered[0] ?? ''),
        head.headers.get('sec-websocket-extensions') ?? '',
        context,
      )
    })
    server.log.info({ requestId: head.requestId, route: head.path }, 'socket opened')
  } catch (error) {
    const answer = restRefusal(asFailure(error, server.log, head.requestId), head)
    write(res, head, answer, { close: true, https: server.origins.secure(head) })
  }
}
