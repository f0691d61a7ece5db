/** Starts a sign-in or the linking of an identity in a browser, with the requests of Better Auth's generic OAuth. */

import { longestPage, providerRoutes } from '../../../../spec/accounts/providerRoutes.ts'
import { Failure } from '../../../../spec/core/failure.ts'
import { json } from '../../../http/answer.ts'
import type { HttpRequest } from '../../../http/request.ts'
import type { Answer } from '../../../http/route.ts'
import type { InputOf } from '../../restHandler.ts'
import { requireProvider } from '../modes.ts'
import { type AuthCall, authOperation } from '../operation.ts'
import { requireSignedIn } from '../requireSignedIn.ts'
import type { AuthServices } from '../services.ts'
import { createFlow, type FlowReturn, flowCookie } from './flow.ts'

export const browserFlowOperations = [
  authOperation(providerRoutes.signInAtProvider, (call) => beginFlow(call, (pages) => ({ to: 'page', ...pages }))),
  authOperation(providerRoutes.linkIdentity, (call) => {
    const { userId } = requireSignedIn(call.principal)
    return beginFlow(call, (pages) => ({ to: 'account', userId, ...pages }))
  }),
]

type BeginInput = InputOf<typeof providerRoutes.signInAtProvider>

/** The pages to which the browser is redirected afterwards. */
interface ReturnPages {
  readonly url: string
  readonly errorUrl?: string
}

async function beginFlow(
  { request, services, input }: AuthCall<BeginInput>,
  then: (pages: ReturnPages) => FlowReturn,
): Promise<Answer> {
  const provider = requireProvider(services)
  if (input.providerId !== provider.id)
    throw new Failure(
      'BAD_USER_INPUT',
      'The provider is unknown. /api/auth/config names the provider of this server.',
      { details: { field: 'providerId' } },
    )
  const { callbackURL, errorCallbackURL, disableRedirect } = input
  const pages = {
    url: requireTrustedUrl(callbackURL ?? '/', 'callbackURL', request, services),
    ...(errorCallbackURL == null
      ? {}
      : { errorUrl: requireTrustedUrl(errorCallbackURL, 'errorCallbackURL', request, services) }),
  }
  const flow = createFlow(then(pages), request, provider.id, services)
  const url = await provider.authorizationUrl(flow, request.requestId)
  return {
    ...json(200, { url, redirect: disableRedirect !== true }),
    cookies: [flowCookie(flow, request, services)],
  }
}

/**
 * The absolute URL of a page of this server or of a trusted origin. It is absolute because a browser can read a path as a host
 * name (`//evil.example`).
 */
function requireTrustedUrl(page: string, field: string, request: HttpRequest, { origins }: AuthServices): string {
  const base = origins.baseUrl(request)
  const url = URL.canParse(page, base) ? new URL(page, base) : undefined
  if (url && url.href.length > longestPage)
    throw new Failure('BAD_USER_INPUT', `${field} is too long.`, { details: { field } })
  if (url && (url.origin === new URL(base).origin || origins.allows(url.origin, request)) && url.username === '')
    return url.href
  throw new Failure('INVALID_ORIGIN', `${field} must be a path of this server or a URL of one of its origins.`, {
    details: { field },
  })
}
