import { type Client, createClient } from 'graphql-ws'
import { WebSocket } from 'ws'
import type { BackOffPolicy } from '../../../spec/core/backOff.ts'
import { ConnectionLost, type ControlPlaneError, toControlPlaneError } from '../failures.ts'
import { deferred } from '../wait.ts'

/** One socket, from its open to its close. It is never reopened: the uplink opens a new one. */
export interface Connection {
  /** Throws ConnectionLost if the socket closes first or the response is late, and ControlPlaneError for an error. */
  request<Payload>(document: string, variables: Record<string, unknown>): Promise<Payload>
  /** If a subscription ends, the connection is closed, since the agent would receive no more offers. */
  subscribe<Payload>(
    document: string,
    variables: Record<string, unknown>,
    onData: (data: Payload) => void,
    onRefused?: (error: ControlPlaneError) => void,
  ): void
  closed: Promise<Closed>
  close(): void
}

export interface Closed {
  code: number
  reason: string
}

const limits = {
  /** Milliseconds for the handshake, and for the acknowledgment after it. */
  openMs: 15_000,
  /** Milliseconds after which a request without a response means that the connection is broken. */
  answerMs: 30_000,
  /** Milliseconds between pings, and the timeout of a pong. */
  pingMs: 10_000,
  pongMs: 10_000,
  /** The maximum size of a message from the control plane, in bytes. */
  messageBytes: 4 * 1024 * 1024,
}

/** Between tries to reach the control plane. The jitter keeps many agents from connecting at the same time. */
export const reconnectPolicy: BackOffPolicy = { firstMs: 250, factor: 2, mostMs: 10_000, jitter: 0.5 }

class BoundedWebSocket extends WebSocket {
  constructor(url: string, protocols: string) {
    super(url, protocols, {
      handshakeTimeout: limits.openMs,
      maxPayload: limits.messageBytes,
      perMessageDeflate: false,
      followRedirects: false,
    })
  }
}

/** Resolves when the control plane has acknowledged the credential. Rejects with NotOpened. */
export async function openConnection(url: string, credential: string): Promise<Connection> {
  const opened = deferred()
  const closed = deferred<Closed>()
  let pongTimer: NodeJS.Timeout | undefined
  const end = (cause: unknown) => {
    clearTimeout(pongTimer)
    closed.resolve(toClosed(cause))
  }
  const client = createClient({
    url,
    webSocketImpl: BoundedWebSocket,
    lazy: false,
    retryAttempts: 0,
    keepAlive: limits.pingMs,
    connectionAckWaitTimeout: limits.openMs,
    connectionParams: { authorization: `Bearer ${credential}` },
    onNonLazyError: end,
    on: {
      connected: () => opened.resolve(),
      closed: end,
      ping: (received) => {
        if (!received) pongTimer = setTimeout(() => client.terminate(), limits.pongMs)
      },
      pong: (received) => {
        if (received) clearTimeout(pongTimer)
      },
    },
  })
  const connection = overClient(client, closed.promise)
  const early = await Promise.race([opened.promise, closed.promise])
  if (early) throw new NotOpened(early)
  return connection
}

/** The socket could not be opened. `closed` shows whether the credential was rejected. */
export class NotOpened extends Error {
  override name = 'NotOpened'
  readonly closed: Closed
  constructor(closed: Closed) {
    super(closed.reason || `The socket was closed with ${closed.code}.`)
    this.closed = closed
  }
}

function overClient(client: Client, closed: Promise<Closed>): Connection {
  let ended = false
  void closed.then(() => {
    ended = true
  })
  const close = () => {
    void client.dispose()
    // The other side may have disconnected without a close frame. Then no event would report the end.
    setTimeout(() => !ended && client.terminate(), 1_000).unref()
  }
  return {
    closed,
    close,
    request: (document, variables) => {
      if (ended) return Promise.reject(new ConnectionLost('The connection is closed.'))
      return ask(client, document, variables)
    },
    subscribe: (query, variables, onData, onRefused) => {
      client.subscribe(
        { query, variables },
        {
          next: ({ data, errors }) => {
            if (errors?.length) close()
            else if (data) onData(data as never)
          },
          error: (cause) => {
            if (Array.isArray(cause)) onRefused?.(toControlPlaneError(cause.map(withExtensions)))
            close()
          },
          complete: close,
        },
      )
    },
  }
}

function ask<Payload>(client: Client, query: string, variables: Record<string, unknown>): Promise<Payload> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => {
      reject(new ConnectionLost('The control plane did not answer in time.'))
      client.terminate()
    }, limits.answerMs)
    client.subscribe<Record<string, unknown>>(
      { query, variables },
      {
        next: ({ data, errors }) => {
          if (errors?.length) reject(toControlPlaneError(errors))
          else resolve(data as Payload)
        },
        error: (cause) => {
          clearTimeout(timer)
          if (Array.isArray(cause)) reject(toControlPlaneError(cause.map(withExtensions)))
          else reject(new ConnectionLost('The connection ended before the answer.'))
        },
        complete: () => {
          clearTimeout(timer)
          // Has no effect after a response. A normal close also ends requests here.
          reject(new ConnectionLost('The connection ended before the answer.'))
        },
      },
    )
  })
}

function withExtensions(error: { message: string; extensions?: unknown }) {
  return { message: error.message, extensions: error.extensions as Record<string, unknown> | undefined }
}

function toClosed(cause: unknown): Closed {
  const { code, reason, message } = (cause ?? {}) as { code?: unknown; reason?: unknown; message?: unknown }
  return {
    code: typeof code === 'number' ? code : 1006,
    reason: [reason, message].find((text) => typeof text === 'string' && text !== '')?.toString() ?? '',
  }
}
