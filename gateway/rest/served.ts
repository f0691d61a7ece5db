/**
 * Connects declared routes to their handlers. It enforces the declared parameters, query, body and callers for all routes, so a
 * handler receives only valid input.
 */
import type { Logger } from 'pino'
import { Failure, type FailureCode } from '../../spec/core/failure.ts'
import { isAccountPath } from '../../spec/rest/refusals.ts'
import type { Fields, RestRoute } from '../../spec/rest/restRoute.ts'
import { json } from '../http/answer.ts'
import { restError, restRefusal, retryHeaders, statusOf } from '../http/failures.ts'
import type { HttpRequest } from '../http/request.ts'
import type { Answer, Route, RouteCall } from '../http/route.ts'
import type { Limits } from '../limits/limits.ts'
import { logHandled } from '../observability/handled.ts'
import type { ServedRoute } from '../operations/restHandler.ts'
import { bodyOf, checked } from './input.ts'
import type { RouteRates } from './routeRate.ts'

export interface RouteServices {
  readonly limits: Limits
  readonly rates: RouteRates
  readonly log: Logger
}

export function routeOf({ route, capabilities, handle }: ServedRoute, { limits, rates, log }: RouteServices): Route {
  const { method, path, access, body } = route
  const called = async ({ request, principal, params }: RouteCall): Promise<Answer> => {
    const call = {
      request,
      principal,
      params: fieldsOf(route.params, params),
      query: queryOf(route, request),
      input: body && (await refusedAs(route.bodyRefusal, () => bodyOf(request, body, limits[body.limit]))),
    }
    logHandled(log, route.name, { requestId: request.requestId, principal })
    return await handle(call)
  }
  return {
    method,
    path,
    access,
    ...(route.anyOrigin && { anyOrigin: true }),
    ...(capabilities && { capabilities }),
    ...(isAccountPath(path) ? { deadCookie: 'absent', refuse: accountRefusal } : {}),
    ...(route.credentialRefusal && { refuse: credentialRefusal(route.credentialRefusal) }),
    handle: rates.guard(route.rate, called),
  }
}

async function refusedAs<T>(code: RestRoute['bodyRefusal'], read: () => Promise<T>): Promise<T> {
  try {
    return await read()
  } catch (error) {
    throw renamed(error, code)
  }
}

/** Reports invalid input with the route's own code. */
function renamed(error: unknown, code: FailureCode | undefined): unknown {
  if (code === undefined || !(error instanceof Failure) || error.code !== 'BAD_USER_INPUT') return error
  return new Failure(code, error.message, error.details && { details: error.details })
}

function credentialRefusal(code: FailureCode): NonNullable<Route['refuse']> {
  return (failure, request) => {
    const theirs = failure.code === 'UNAUTHENTICATED' || failure.code === 'FORBIDDEN'
    return restRefusal(theirs ? new Failure(code, failure.message) : failure, request)
  }
}

function queryOf({ query, queryRefusal }: RestRoute, request: HttpRequest): unknown {
  if (query === undefined) return undefined
  const given = new URLSearchParams(request.query)
  const names = query.type === 'strict_object' ? [...given.keys()] : Object.keys(query.entries)
  // If a field is repeated, the first value counts.
  const fields = names.flatMap((name) => {
    const value = given.get(name)
    return value === null ? [] : [[name, value] as const]
  })
  return fieldsOf(query, Object.fromEntries(fields), queryRefusal)
}

function fieldsOf(fields: Fields | undefined, value: unknown, code?: RestRoute['queryRefusal']): unknown {
  if (fields === undefined) return undefined
  try {
    return checked(fields, value)
  } catch (error) {
    if (!(error instanceof Failure) || code === undefined || code === error.code) throw error
    throw new Failure(code, error.message)
  }
}

/** `code` and `message` are at the top level too, because Better Auth's clients read them there. */
function accountRefusal(failure: Failure, request: HttpRequest): Answer {
  const error = restError(failure, request.requestId)
  const { code, message } = error
  return json(statusOf(failure), { code, message, error }, retryHeaders(failure))
}
