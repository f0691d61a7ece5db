/** A request in the gateway. All values are copied from uWebSockets.js, whose own object is invalid after the handler. */
import type { Clock } from '../../actors/ports/clock.ts'
import { Failure } from '../../spec/core/failure.ts'
import { isOrigin } from '../../spec/core/origin.ts'
import type { Limits } from '../limits/limits.ts'
import { plainAddress, type TrustedProxies } from './addresses.ts'
import { Body } from './body.ts'
import { Lifetime } from './lifetime.ts'
import { requestIdFrom } from './requestId.ts'
import type { UwsRequest, UwsResponse } from './uws.ts'

export type HeaderMap = ReadonlyMap<string, string>

export interface RequestHead {
  /** In upper case. */
  readonly method: string
  readonly path: string
  /** Without the question mark. */
  readonly query: string
  /** Names are in lower case. The values of a repeated header are joined by `, ` (cookies by `; `). */
  readonly headers: HeaderMap
  /** Names of headers that the request has more than once. */
  readonly repeated: ReadonlySet<string>
  /** The size of the first line and the headers, as they were sent. */
  readonly headBytes: number
  /** The address of the client, behind trusted proxies. */
  readonly address: string
  /** Whether the client uses https to this server or to a trusted proxy. */
  readonly secure: boolean
  /** The host that a trusted proxy reports as the one that the client used. Undefined without one, or if it is not a host. */
  readonly forwardedHost: string | undefined
  readonly requestId: string
  /** Milliseconds since 1970. */
  readonly receivedAt: number
  /** `receivedAt` on the monotonic clock, for durations. */
  readonly begunAt: number
}

export interface HttpRequest extends RequestHead {
  readonly body: Body
  readonly lifetime: Lifetime
}

export interface RequestReader {
  readonly proxies: TrustedProxies
  readonly clock: Clock
  readonly limits: Limits
}

const noNames: ReadonlySet<string> = new Set()

/** The spaces, the version and the line end of the first line, and the empty line at the end. */
const framing = '  HTTP/1.1\r\n\r\n'.length
const lineFraming = ': \r\n'.length

export function readHead(res: UwsResponse, req: UwsRequest, { proxies, clock }: RequestReader): RequestHead {
  const headers = new Map<string, string>()
  let repeated: Set<string> | undefined
  const method = req.getCaseSensitiveMethod()
  const path = req.getUrl()
  const query: string | undefined = req.getQuery()
  let headBytes = method.length + path.length + (query === undefined ? 0 : query.length + 1) + framing
  req.forEach((name, value) => {
    headBytes += name.length + value.length + lineFraming
    const known = headers.get(name)
    if (known === undefined) headers.set(name, value)
    else {
      repeated ??= new Set()
      repeated.add(name)
      headers.set(name, `${known}${name === 'cookie' ? '; ' : ', '}${value}`)
    }
  })
  const peer = plainAddress(Buffer.from(res.getRemoteAddressAsText()).toString('latin1'))
  return {
    method: method.toUpperCase(),
    path,
    query: query ?? '',
    headers,
    headBytes,
    repeated: repeated ?? noNames,
    address: proxies.client(peer, headers.get('x-forwarded-for')),
    secure: proxies.has(peer) && lastOf(headers.get('x-forwarded-proto')) === 'https',
    forwardedHost: proxies.has(peer) ? hostIn(lastOf(headers.get('x-forwarded-host'))) : undefined,
    requestId: requestIdFrom(headers.get('x-request-id')),
    receivedAt: clock.now(),
    begunAt: clock.monotonic(),
  }
}

/** @throws Failure REQUEST_HEAD_TOO_LARGE */
export function checkHeadSize({ headBytes }: RequestHead, { requestHeadBytes }: Limits): void {
  if (headBytes <= requestHeadBytes) return
  throw new Failure(
    'REQUEST_HEAD_TOO_LARGE',
    `The request's path and headers have ${headBytes} bytes, and this server accepts ${requestHeadBytes}: send fewer headers or cookies.`,
    { details: { limit: requestHeadBytes } },
  )
}

export function readRequest(res: UwsResponse, req: UwsRequest, reader: RequestReader): HttpRequest {
  const head = readHead(res, req, reader)
  const length = head.headers.get('content-length')
  const declared = length !== undefined && /^\d{1,15}$/.test(length) ? Number(length) : undefined
  const body = new Body(res, {
    declared,
    present: (declared ?? 0) > 0 || head.headers.has('transfer-encoding'),
    holdBytes: reader.limits.anonymousBodyBytes,
    withinMs: reader.limits.bodyMs,
    clock: reader.clock,
  })
  return { ...head, body, lifetime: new Lifetime() }
}

/** A proxy may pass on what its client sent, so the text may be anything. */
function hostIn(text: string | undefined): string | undefined {
  return text !== undefined && text.length <= 260 && isOrigin(`http://${text}`) ? text : undefined
}

function lastOf(list: string | undefined): string | undefined {
  return list?.split(',').at(-1)?.trim().toLowerCase()
}
