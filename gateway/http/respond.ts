/**
 * Request lifecycle: host rule → route → origin rule → credential → access → handler → response. An error in any stage becomes a
 * response in the form of the route's surface, and the request is logged.
 */

import type { Logger } from 'pino'
import { sessionLifetimeMs } from '../../spec/accounts/sessionLifetime.ts'
import { Failure } from '../../spec/core/failure.ts'
import { type Principal, principalName } from '../../spec/core/principal.ts'
import { authorize, withAccepted } from '../auth/access.ts'
import { type Authenticated, type Authenticator, anonymous } from '../auth/authenticate.ts'
import type { CookieRenewals } from '../auth/cookieRenewals.ts'
import { clearedCookies, sessionCookie } from '../auth/cookies.ts'
import type { Identity } from '../auth/identities.ts'
import type { GatewayMetrics } from '../observability/metrics.ts'
import { type ResponseOptions, write, writeStream } from './answer.ts'
import { BodyAborted } from './body.ts'
import { preflight, withCors } from './cors.ts'
import type { EventAnswer, EventCaller, OpenEventStreams } from './events/openEventStreams.ts'
import { asFailure } from './failures.ts'
import { isPlainlyFramed } from './framing.ts'
import type { Origins } from './origins.ts'
import { checkHeadSize, type HttpRequest, type RequestReader, readRequest } from './request.ts'
import type { Answer, Route } from './route.ts'
import { allowed, type Match, type Router } from './router.ts'
import { sendFile } from './sendFile.ts'
import type { UwsRequest, UwsResponse } from './uws.ts'

export interface Responder extends RequestReader {
  readonly router: Router
  readonly origins: Origins
  readonly authenticator: Pick<Authenticator, 'request'>
  readonly cookieRenewals: CookieRenewals
  readonly log: Logger
  readonly metrics: GatewayMetrics
  readonly eventStreams: OpenEventStreams
  /** Builds the refusal for a path without a route, and for routes without a `refuse` of their own. */
  refuse(failure: Failure, request: HttpRequest): Answer
  /** Requests that a stop waits for. */
  readonly inFlight: { begin(): void; end(): void; readonly stopping: boolean }
}

interface Progress {
  principal: Principal
  identity: Identity | undefined
  route: Route | undefined
  label: string
}

export async function respond(res: UwsResponse, req: UwsRequest, server: Responder): Promise<void> {
  const request = readRequest(res, req, server)
  const { lifetime } = request
  res.onAborted(() => {
    lifetime.leave()
    request.body.abort()
  })
  const progress: Progress = { principal: anonymous, identity: undefined, route: undefined, label: 'unknown' }
  if (!isPlainlyFramed(request)) {
    // Close the connection without a response. With a response, the bytes that follow would still be read as the next request.
    note(request, server, progress, 400)
    res.close()
    return
  }
  server.inFlight.begin()
  let answer: Answer | undefined
  try {
    answer = await answerTo(request, server, progress)
  } catch (error) {
    if (!(error instanceof BodyAborted)) answer = refusal(error, request, server, progress)
  }
  if (!lifetime.gone && answer) {
    request.body.release()
    answer = withCors(answer, progress.route)
    const https = server.origins.secure(request)
    const delivery = { close: isLast(request, answer, server), https }
    if (answer.events) await serveEvents(res, request, { ...answer, events: answer.events }, delivery, server, progress)
    else await send(res, request, answer, delivery)
  } else void answer?.stream?.cancel().catch(() => {})
  if (answer?.events === undefined) note(request, server, progress, lifetime.gone ? 499 : (answer?.status ?? 499))
  lifetime.end()
  // Only after the response is written: a stop closes the connections when no request is in flight.
  server.inFlight.end()
}

/** The request is logged and measured when its stream begins, since a stream may last for days. */
async function serveEvents(
  res: UwsResponse,
  request: HttpRequest,
  answer: EventAnswer,
  delivery: ResponseOptions,
  server: Responder,
  progress: Progress,
): Promise<void> {
  note(request, server, progress, answer.status)
  await server.eventStreams.serve(res, request, answer, delivery, callerOf(progress))
  server.log.info({ requestId: request.requestId, route: progress.label }, 'event stream ended')
}

function callerOf({ principal, identity }: Progress): EventCaller {
  return { name: principalName(principal), identity }
}

async function send(res: UwsResponse, request: HttpRequest, answer: Answer, delivery: ResponseOptions): Promise<void> {
  const { stream, length } = answer
  if (stream === undefined) write(res, request, answer, delivery)
  else if (length !== undefined) await sendFile(res, request, { ...answer, stream, length }, delivery)
  else await writeStream(res, request, { ...answer, stream }, delivery)
}

/** Whether the connection closes after this response. A rejected body may still be arriving, so the connection cannot be used again. */
function isLast({ headers, body }: HttpRequest, { status }: Answer, { inFlight }: Responder): boolean {
  const asked = headers.get('connection')?.toLowerCase() === 'close'
  return asked || inFlight.stopping || status === 413 || status === 408 || (status >= 400 && body.hasLongRest)
}

async function answerTo(request: HttpRequest, server: Responder, progress: Progress): Promise<Answer> {
  server.origins.checkHost(request)
  const match = server.router.match(request.path)
  const route = match && routeFor(match, request)
  progress.label = match?.path ?? progress.label
  progress.route = route
  checkHeadSize(request, server.limits)
  if (!match) throw new Failure('NOT_FOUND', 'There is nothing at this path.')
  if (!route) return otherMethod(match, request, server)
  if (server.inFlight.stopping) throw new Failure('UNAVAILABLE', 'The server is stopping.', { retryAfterMs: 1_000 })
  server.origins.checkOrigin(request, route.checksOrigin)
  if (route.access === 'public') return await route.handle({ request, principal: anonymous, params: match.params })
  const who = await server.authenticator.request(request, route.deadCookie ?? 'refused').catch((error: unknown) => {
    throw withAccepted(error, route.access)
  })
  progress.principal = who.principal
  progress.identity = who.identity
  authorize('This path', route.access, who.principal)
  const answer = await route.handle({ request, principal: who.principal, params: match.params })
  if (answer.events) server.eventStreams.checkCount(callerOf(progress))
  const cookies = answer.cookies ?? cookiesFor(who, request, server)
  return cookies ? { ...answer, cookies } : answer
}

/** Clears an invalid cookie and renews a cookie that is in use. */
function cookiesFor(
  { clearCookie, cookie }: Authenticated,
  request: HttpRequest,
  { origins, cookieRenewals }: Responder,
): readonly string[] | undefined {
  const secure = origins.secure(request)
  if (clearCookie) return clearedCookies(secure)
  if (cookie === undefined || !cookieRenewals.take(cookie, request.receivedAt)) return undefined
  return [sessionCookie(cookie.token, secure, sessionLifetimeMs / 1_000)]
}

function routeFor(match: Match, request: HttpRequest): Route | undefined {
  const { method } = request
  // Without a route of its own, HEAD is answered like GET, without the body.
  return match.routes.get(method) ?? (method === 'HEAD' ? match.routes.get('GET') : undefined)
}

function otherMethod(match: Match, request: HttpRequest, server: Responder): Answer {
  const capabilities = [...match.routes.values()].map((route) => route.capabilities ?? {})
  const headers = { ...Object.assign({}, ...capabilities), allow: allowed(match) }
  if (request.method === 'OPTIONS') return preflight(match, headers.allow) ?? { status: 204, headers }
  const [route] = match.routes.values()
  const failure = new Failure('BAD_USER_INPUT', `${request.method} is not served here.`)
  const answer = (route?.refuse ?? server.refuse)(failure, request)
  return { ...answer, status: 405, headers: { ...answer.headers, allow: headers.allow } }
}

function refusal(error: unknown, request: HttpRequest, server: Responder, { route }: Progress): Answer {
  const failure = asFailure(error, server.log, request.requestId)
  const answer = (route?.refuse ?? server.refuse)(failure, request)
  return answer.status === 401 ? { ...answer, headers: { ...answer.headers, 'www-authenticate': 'Bearer' } } : answer
}

function note(request: HttpRequest, server: Responder, { principal, label }: Progress, status: number): void {
  const ms = server.clock.now() - request.receivedAt
  const { method } = request
  server.metrics.request({ method: knownMethod(method), route: label, status }, ms / 1000)
  server.log.info(
    { requestId: request.requestId, method, route: label, status, ms, principal: principalName(principal) },
    'request',
  )
}

const methods: ReadonlySet<string> = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'])

/** Callers may send any method. The number of metric labels must stay bounded. */
function knownMethod(method: string): string {
  return methods.has(method) ? method : 'other'
}
