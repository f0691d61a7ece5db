/** WebSockets of both listeners: the upgrade with its checks, the queue below the protocol, and the end. */
import { setTimeout as sleep } from 'node:timers/promises'
import { Failure } from '../spec/failure.ts'
import type { Envelope, MessageContext } from '../spec/operation.ts'
import type { Principal } from '../spec/principal.ts'
import { write } from './answer.ts'
import { sessionCookies } from './cookies.ts'
import { asFailure, restRefusal } from './failures.ts'
import { GraphqlSocket } from './graphql/socket.ts'
import type { SocketServices } from './graphql/socketServices.ts'
import { type RequestHead, readHead } from './request.ts'
import type { Responder } from './respond.ts'
import { SendQueue } from './sendQueue.ts'
import {
  noCompression,
  sendInTwo,
  type UpgradeContext,
  type UwsBehavior,
  type UwsRequest,
  type UwsResponse,
  type UwsSocket,
} from './uws.ts'

const protocol = 'graphql-transport-ws'

/** What uWebSockets.js keeps for each socket. */
export interface SocketData {
  readonly head: RequestHead
  readonly understood: boolean
  open?: OpenSocket
}

interface OpenSocket {
  readonly graphql: GraphqlSocket
  readonly queue: SendQueue
  close(code: number, reason: string): void
}

export interface Sockets {
  readonly behavior: UwsBehavior<SocketData>
  /** Tells every socket that it is over. */
  closeAll(code: number, reason: string): void
  /** Resolves when none is open, or after `withinMs`. */
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
  ): MessageContext
}

/** uWebSockets.js answers 0 where the message was taken and the network is full, 2 where it was dropped. */
const taken = 1
const dropped = 2

export function graphqlSockets(options: SocketOptions): Sockets {
  const open = new Set<OpenSocket>()
  const { limits, metrics } = options.services
  const behavior: UwsBehavior<SocketData> = {
    compression: noCompression,
    // uWebSockets.js cuts what is too big without a word (1006); up to here it can still be told that it is (1009).
    maxPayloadLength: 4 * limits.webSocketMessageBytes,
    // The queue of our own bounds what waits; uWebSockets.js holds only what one flush gave it.
    maxBackpressure: 0,
    idleTimeout: limits.socketIdleSeconds,
    sendPingsAutomatically: true,
    upgrade: (res, req, context) => upgrade(res, req, context, options.server),
    open: (ws) => {
      const socket = openSocket(ws, options)
      ws.getUserData().open = socket
      open.add(socket)
      metrics.sockets.inc()
      if (!ws.getUserData().understood) socket.close(4406, 'Subprotocol not acceptable')
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
      socket.queue.close()
      socket.graphql.closed()
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

function openSocket(ws: UwsSocket<SocketData>, { services, context }: SocketOptions): OpenSocket {
  const { head } = ws.getUserData()
  let over = false
  const end = (code: number, reason: string): void => {
    if (over) return
    queue.flush()
    over = true
    // A reason may have 123 bytes.
    ws.end(code, reason.slice(0, 120))
  }
  const queue = new SendQueue(
    {
      send: (message) => {
        if (over) return true
        const outcome = typeof message === 'string' ? ws.send(message) : sendInTwo(ws, message.head, message.body)
        if (outcome === dropped) setImmediate(() => end(1013, 'Too slow'))
        return outcome === taken
      },
      cork: (work) => void (over || ws.cork(work)),
    },
    services.limits.socketQueueBytes,
  )
  const graphql = new GraphqlSocket(
    {
      address: head.address,
      cookies: sessionCookies(head.headers.get('cookie')),
      queue,
      close: end,
      context: (principal, requestId, onDisconnect) => context(head, principal, requestId, onDisconnect),
    },
    services,
  )
  return {
    graphql,
    queue,
    close: (code, reason) => {
      end(code, reason)
    },
  }
}

function upgrade(res: UwsResponse, req: UwsRequest, context: UpgradeContext, server: Responder): void {
  const head = readHead(res, req, server)
  try {
    server.origins.checkHost(head)
    server.origins.checkOrigin(head, true)
    if (server.underWay.stopping) throw new Failure('UNAVAILABLE', 'The server is stopping.', { retryAfterMs: 1_000 })
    const offered = (head.headers.get('sec-websocket-protocol') ?? '').split(',').map((name) => name.trim())
    const understood = offered.includes(protocol)
    res.cork(() => {
      res.writeStatus('101 Switching Protocols')
      res.writeHeader('x-request-id', head.requestId)
      res.upgrade<SocketData>(
        { head, understood },
        head.headers.get('sec-websocket-key') ?? '',
        understood ? protocol : (offered[0] ?? ''),
        head.headers.get('sec-websocket-extensions') ?? '',
        context,
      )
    })
    server.log.info({ requestId: head.requestId, route: head.path }, 'socket opened')
  } catch (error) {
    write(res, head, restRefusal(asFailure(error, server.log, head.requestId), head), true)
  }
}
