/**
 * GraphQL over HTTP. POST executes queries and mutations, GET executes only queries, and a browser's GET without a query opens
 * GraphiQL.
 */

import { Failure } from '../../spec/core/failure.ts'
import type { Principal } from '../../spec/core/principal.ts'
import { needsCredential } from '../auth/access.ts'
import type { Authenticator } from '../auth/authenticate.ts'
import { retryHeaders } from '../http/failures.ts'
import { checkJsonHeaders, parseJson, readJson } from '../http/jsonBody.ts'
import type { HttpRequest } from '../http/request.ts'
import type { Answer, Route, RouteCall } from '../http/route.ts'
import type { Limits } from '../limits/limits.ts'
import { rateLimitHeaders } from '../limits/rateLimiter.ts'
import type { RequestContext } from '../operations/requestContext.ts'
import type { GraphqlEngine } from './engine.ts'
import { type Enrolling, enrolling, prepareEnrolling } from './enrollment.ts'
import { failureError } from './errors.ts'
import { graphiqlPage } from './graphiql.ts'
import { mediaTypeFor, refusalAnswer, resultAnswer } from './mediaType.ts'
import { type Parameters, parametersFrom, parametersFromQuery } from './schema/parameters.ts'

export interface GraphqlHttp {
  readonly engine: GraphqlEngine
  readonly authenticator: Authenticator
  readonly limits: Limits
  readonly sandbox: boolean
  context(request: HttpRequest, principal: Principal): RequestContext
}

export function graphqlRoutes(path: string, http: GraphqlHttp): readonly Route[] {
  const common = { path, access: 'graphql' as const, refuse }
  return [
    { ...common, method: 'POST', handle: (call) => post(call, http) },
    { ...common, method: 'GET', handle: (call) => get(call, http) },
  ]
}

function refuse(failure: Failure, request: HttpRequest): Answer {
  const errors = [failureError(failure, request.requestId)]
  return refusalAnswer({ errors, failure }, mediaTypeFor(request.headers.get('accept')), retryHeaders(failure))
}

async function post({ request, principal }: RouteCall, http: GraphqlHttp): Promise<Answer> {
  if (principal.kind !== 'anonymous') {
    const parameters = parametersFrom(await readJson(request, http.limits.bodyBytes))
    return await carryOut(request, principal, parameters, http)
  }
  const raw = (await request.body.read(http.limits.anonymousBodyBytes).catch(anonymousTooLarge)).toString()
  const guest = await enrolling(raw, http.authenticator, request.address)
  checkJsonHeaders(request.headers)
  return await carryOut(request, guest.principal, enrollingParameters(raw), http, guest)
}

/** Without a credential only one operation is accepted. A batch, or any other body, gets 401. */
function enrollingParameters(raw: string): Parameters {
  try {
    return parametersFrom(parseJson(raw))
  } catch {
    throw needsCredential('graphql')
  }
}

/** An unauthenticated caller gets the same 401, whatever the size of the body. */
function anonymousTooLarge(error: unknown): never {
  if (error instanceof Failure && error.code === 'PAYLOAD_TOO_LARGE') throw needsCredential('graphql')
  throw error
}

async function get({ request, principal }: RouteCall, http: GraphqlHttp): Promise<Answer> {
  const wantsPage = request.headers.get('accept')?.includes('text/html') === true
  if (wantsPage && http.sandbox && !request.query.includes('query=')) return await graphiqlPage()
  if (principal.kind === 'anonymous') throw needsCredential('graphql')
  return await carryOut(request, principal, parametersFromQuery(request.query), http)
}

async function carryOut(
  request: HttpRequest,
  principal: Principal,
  parameters: Parameters,
  { engine, context }: GraphqlHttp,
  guest?: Enrolling,
): Promise<Answer> {
  const type = mediaTypeFor(request.headers.get('accept'))
  try {
    const prepared = guest ? prepareEnrolling(parameters, guest, engine) : engine.prepare(parameters, principal)
    const { operation } = prepared.operation
    if (operation === 'subscription')
      throw new Failure('BAD_USER_INPUT', 'Subscribe over a WebSocket with the protocol graphql-transport-ws.')
    if (operation === 'mutation' && request.method !== 'POST') {
      const answer = refuse(new Failure('BAD_USER_INPUT', 'A mutation is sent by POST.'), request)
      return { ...answer, status: 405, headers: { ...answer.headers, allow: 'POST' } }
    }
    const call = context(request, principal)
    const charge = await engine.spend(prepared, parameters, call)
    return resultAnswer(await engine.run(prepared, parameters, call, charge), type, rateLimitHeaders(charge.budget))
  } catch (error) {
    const refusal = engine.refusal(error, request.requestId)
    const left = guest ? {} : rateLimitHeaders(engine.budget(principal))
    return refusalAnswer(refusal, type, { ...left, ...(refusal.failure ? retryHeaders(refusal.failure) : {}) })
  }
}
