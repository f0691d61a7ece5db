/**
 * A connection to an external server is one session of the protocol. One request uses it at a time, so each error on it belongs to that
 * request. With Streamable HTTP it is a session without a socket. With SSE it is the stream that carries the answers.
 */
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { SSEClientTransport } from '@modelcontextprotocol/sdk/client/sse.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js'
import {
  ErrorCode,
  type JSONRPCMessage,
  McpError,
  ResultSchema,
  ToolListChangedNotificationSchema,
} from '@modelcontextprotocol/sdk/types.js'
import type { Outbound } from '../../../../actors/effects/outbound/port.ts'
import type { Clock } from '../../../../actors/ports/clock.ts'
import { OutboundFailed } from '../../../../spec/core/outboundFailed.ts'
import { version } from '../../../../spec/settings/version.ts'
import type { ExternalProgress, McpEndpoint } from '../../../../spec/tools/external.ts'
import { unlessAborted } from './aborting.ts'
import { guardedFetch, mostResumptions } from './guardedFetch.ts'
import { ConnectionLost, HttpRefused, ProtocolViolation, ServerRefused } from './problems.ts'

export interface ConnectionOptions {
  readonly endpoint: McpEndpoint
  /** Header values by name. */
  readonly headers: ReadonlyMap<string, string>
  readonly outbound: Outbound
  readonly clock: Clock
  readonly maxBytes: number
  /** The longest time of a request. */
  readonly longestMs: number
  /** Called when the server reports that its tools have changed. */
  toolsChanged(): void
}

export interface ConnectionRequest {
  readonly method: string
  readonly params?: Record<string, unknown>
  /** Cancels the request, also at the server. */
  readonly signal: AbortSignal
  readonly onProgress?: ((progress: ExternalProgress) => void) | undefined
}

export interface McpConnection {
  /** False after its stream has ended: later requests would receive no answer. */
  readonly isUsable: boolean
  /** Returns the unchecked result. @throws the errors of `problems.ts`, OutboundFailed, and the signal's reason */
  request(request: ConnectionRequest): Promise<Readonly<Record<string, unknown>>>
  /** Waits until cancellations are sent, ends the session, and closes all streams. */
  close(): Promise<void>
}

/** It disables the timeouts of the SDK, which do not use our clock. */
const disabledTimeoutMs = 2 ** 31 - 1
/** The time after the end of a stream in which its last messages are read. */
const graceMs = 500
/** The longest wait for each of the last requests: cancellations and the end of the session. */
const closingMs = 2_000

/** @throws the errors of `problems.ts`, OutboundFailed, and the signal's reason */
export async function openConnection(options: ConnectionOptions, signal: AbortSignal): Promise<McpConnection> {
  const { endpoint, clock, headers, outbound, maxBytes, longestMs, toolsChanged } = options
  const { host } = new URL(endpoint.url)
  let usable = true
  /** The request that uses the connection. */
  let pending: PendingRequest | undefined
  const toLostError = (reason: unknown) =>
    reason instanceof OutboundFailed || reason instanceof HttpRefused
      ? reason
      : new ConnectionLost(`The connection to ${host} ended before its answer arrived.`)
  const guard = guardedFetch({
    outbound,
    transport: endpoint.transport,
    headers,
    firstByteMs: longestMs,
    maxBytes,
    owner: () => pending,
    streamEnded(owner, reason, final) {
      const current = endpoint.transport === 'SSE' ? pending : owner
      const resumed = current?.isResumable === true && !final
      if (endpoint.transport === 'SSE') usable = false
      clock.after(graceMs, () => {
        if (!resumed) current?.fail(toLostError(reason))
        // Otherwise the SDK would reopen the stream, without a session.
        if (!usable) void transport.close().catch(() => {})
      })
    },
  })
  const transport = createTransport(endpoint, guard.fetch)
  const sentCancellations = collectCancellations(transport)
  const client = new Client({ name: 'signalbox', version })
  client.setNotificationHandler(ToolListChangedNotificationSchema, toolsChanged)
  const close = async () => {
    usable = false
    await waitAtMost(closingMs, clock, Promise.allSettled(sentCancellations))
    if (transport instanceof StreamableHTTPClientTransport)
      await waitAtMost(
        closingMs,
        clock,
        transport.terminateSession().catch(() => {}),
      )
    await client.close().catch(() => {})
    await transport.close().catch(() => {})
  }
  const explainError = (error: unknown): unknown => {
    if (error instanceof McpError && error.code === ErrorCode.ConnectionClosed && !usable) return toLostError(error)
    if (error instanceof McpError)
      return new ServerRefused(error.code, withoutSecrets(readServerMessage(error), headers))
    if (error instanceof OutboundFailed || error instanceof HttpRefused || error instanceof ConnectionLost) return error
    return guard.failure ?? new ProtocolViolation(`${host} violates the MCP protocol.`)
  }

  const initialization = createPendingRequest()
  pending = initialization
  try {
    const connected = client.connect(transport as Transport, { timeout: disabledTimeoutMs })
    await unlessAborted(Promise.race([connected, initialization.failed]), signal)
  } catch (error) {
    await client.close().catch(() => {})
    await transport.close().catch(() => {})
    if (signal.aborted) throw signal.reason
    throw error instanceof McpError
      ? new ProtocolViolation(`${host} refused to begin an MCP session.`)
      : explainError(error)
  }

  return {
    get isUsable() {
      return usable
    },
    close,
    async request({ method, params, signal: ends, onProgress }) {
      ends.throwIfAborted()
      // Each request has its own controller: with the caller's signal the SDK would also cancel requests that have been answered.
      const ending = new AbortController()
      const end = () => ending.abort('the caller canceled the request')
      ends.addEventListener('abort', end, { once: true })
      const current = createPendingRequest()
      pending = current
      try {
        const answer = client.request({ method, ...(params && { params }) } as never, ResultSchema, {
          signal: ending.signal,
          timeout: disabledTimeoutMs,
          onprogress: ({ progress, total, message }) =>
            onProgress?.({
              progress,
              ...(total !== undefined && { total }),
              ...(message !== undefined && { message: message.slice(0, 1_000) }),
            }),
          onresumptiontoken: () => {
            current.isResumable = true
          },
        })
        return await Promise.race([answer, current.failed])
      } catch (error) {
        if (ends.aborted) throw ends.reason
        throw explainError(error)
      } finally {
        ends.removeEventListener('abort', end)
        pending = undefined
      }
    },
  }
}

interface PendingRequest {
  /** It rejects when no answer can arrive. It never resolves. */
  readonly failed: Promise<never>
  fail(reason: unknown): void
  /** Whether its stream can be resumed. */
  isResumable: boolean
}

function createPendingRequest(): PendingRequest {
  const { promise: failed, reject: fail } = Promise.withResolvers<never>()
  failed.catch(() => {})
  return { failed, fail, isResumable: false }
}

type AnyTransport = StreamableHTTPClientTransport | SSEClientTransport

function createTransport(
  { url, transport }: McpEndpoint,
  fetch: (url: string | URL, init?: RequestInit) => Promise<Response>,
) {
  if (transport === 'SSE') return new SSEClientTransport(new URL(url), { fetch })
  return new StreamableHTTPClientTransport(new URL(url), {
    fetch,
    reconnectionOptions: {
      initialReconnectionDelay: 1_000,
      maxReconnectionDelay: 10_000,
      reconnectionDelayGrowFactor: 1.5,
      maxRetries: mostResumptions,
    },
  })
}

/** Collects the cancellations that are being sent. The SDK does not wait for them. */
function collectCancellations(transport: AnyTransport): readonly Promise<unknown>[] {
  const sent: Promise<unknown>[] = []
  const send = transport.send.bind(transport) as (message: JSONRPCMessage, options?: never) => Promise<void>
  transport.send = (message: JSONRPCMessage | JSONRPCMessage[], options?: unknown) => {
    const sending = send(message as JSONRPCMessage, options as never)
    if ('method' in message && message.method === 'notifications/cancelled') sent.push(sending.catch(() => {}))
    return sending
  }
  return sent
}

function readServerMessage({ message, code }: McpError): string {
  return message.replace(`MCP error ${code}: `, '').slice(0, 1_000)
}

/** Removes header values from a text of the server, which may contain the headers that it received. */
function withoutSecrets(text: string, headers: ReadonlyMap<string, string>): string {
  let plain = text
  for (const value of headers.values())
    for (const part of [value, ...value.split(/\s+/)])
      if (part.length >= 4) plain = plain.replaceAll(part, '[redacted]')
  return plain
}

async function waitAtMost(ms: number, clock: Clock, work: Promise<unknown>): Promise<void> {
  const over = Promise.withResolvers<void>()
  const cancel = clock.after(ms, over.resolve)
  await Promise.race([work, over.promise])
  cancel()
}
