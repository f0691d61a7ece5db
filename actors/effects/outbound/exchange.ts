/** One request on its own connection, up to the head of the response. */
import http, { type ClientRequest, type IncomingMessage } from 'node:http'
import https from 'node:https'
import { isIP, type LookupFunction } from 'node:net'
import { pipeline, Readable } from 'node:stream'
import type { ReadableStream as WebStream } from 'node:stream/web'
import { OutboundFailed } from '../../../spec/core/outboundFailed.ts'
import { type Address, hostOf } from './checkedAddresses.ts'
import type { Outgoing } from './outgoing.ts'
import type { OutboundLimits } from './port.ts'
import type { RequestTimeouts } from './requestTimeouts.ts'
import { toOutboundFailed } from './toOutboundFailed.ts'

export interface Exchange {
  readonly message: IncomingMessage
  /** Ends the connection and all that is in flight on it. */
  end(): void
}

export interface ExchangeParts {
  readonly outgoing: Outgoing
  readonly addresses: readonly Address[]
  readonly deadlines: RequestTimeouts
  readonly limits: OutboundLimits
  /** Called as soon as the connection is established, TLS included. */
  connected(): void
}

/** @throws OutboundFailed, or the reason of the signal */
export function exchange({ outgoing, addresses, deadlines, limits, connected }: ExchangeParts): Promise<Exchange> {
  const { promise, resolve, reject } = Promise.withResolvers<Exchange>()
  const { signal } = deadlines
  const host = hostOf(outgoing.url)
  const secure = outgoing.url.protocol === 'https:'
  const request = open(outgoing, addresses, signal)
  const progress = { connected: false, sent: false, answered: false }
  let stopWaiting = () => {}
  const went = (what: 'connected' | 'sent') => {
    progress[what] = true
    const { connected, sent, answered } = progress
    // A response may come before the whole request was sent.
    if (connected && sent && !answered)
      stopWaiting = deadlines.start(`${outgoing.url.host} did not answer`, limits.firstByteMs)
  }
  request.once('socket', (socket) =>
    socket.once(secure ? 'secureConnect' : 'connect', () => {
      connected()
      went('connected')
    }),
  )
  request.once('finish', () => went('sent'))
  request.once('response', (message) => {
    progress.answered = true
    stopWaiting()
    resolve({ message, end: () => request.destroy() })
  })
  request.once('upgrade', (_message, socket) => {
    socket.destroy()
    reject(new OutboundFailed('BAD_ANSWER', `${host} changes to another protocol, which was not asked for.`))
  })
  // After the head of the response, errors go to the reader of the body.
  request.on('error', (error) =>
    reject(signal.aborted ? signal.reason : toOutboundFailed(error, host, progress.connected)),
  )
  request.once('close', () => {
    stopWaiting()
    reject(new OutboundFailed('BROKEN', `${host} closed the connection without an answer.`))
  })
  send(request, outgoing.body, host, reject)
  return promise
}

function open(
  { url, method, headers, body }: Outgoing,
  addresses: readonly Address[],
  signal: AbortSignal,
): ClientRequest {
  const host = hostOf(url)
  const length = body instanceof Uint8Array ? { 'content-length': String(body.length) } : {}
  return (url.protocol === 'https:' ? https : http).request({
    // No pool: a connection that is kept open would outlive the check of its address. A proxy of the environment is not used either.
    agent: false,
    host,
    port: url.port || (url.protocol === 'https:' ? 443 : 80),
    method,
    path: `${url.pathname}${url.search}`,
    headers: { ...Object.fromEntries(headers), ...length, host: url.host },
    lookup: pinned(addresses),
    servername: isIP(host) === 0 ? host : '',
    rejectUnauthorized: true,
    signal,
  })
}

/** Returns the checked addresses for every lookup of the connection. */
function pinned(addresses: readonly Address[]): LookupFunction {
  return (_host, { all }, answer) => {
    const [first] = addresses
    if (all) answer(null, [...addresses])
    else answer(null, first?.address ?? '', first?.family)
  }
}

function send(request: ClientRequest, body: Outgoing['body'], host: string, reject: (reason: unknown) => void): void {
  if (!(body instanceof ReadableStream)) {
    request.end(body)
    return
  }
  const source = Readable.fromWeb(body as WebStream)
  source.once('error', () => {
    // An error of the request also ends the source. It was reported before.
    if (!request.destroyed)
      reject(new OutboundFailed('BAD_REQUEST', `The body of the request to ${host} ended in an error.`))
  })
  // The request reports every error.
  pipeline(source, request, () => {})
}
