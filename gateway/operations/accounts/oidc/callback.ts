/** The route to which the provider redirects the browser. It redirects to the page or the app that began the sign-in, with the outcome. */

import type { TypedRow } from '../../../../machines/rows.ts'
import { providerRoutes } from '../../../../spec/accounts/providerRoutes.ts'
import { Failure } from '../../../../spec/core/failure.ts'
import { addressGroup } from '../../../http/addresses.ts'
import { asFailure } from '../../../http/failures.ts'
import type { Answer } from '../../../http/route.ts'
import { providerAllowed } from '../modes.ts'
import { endFormer, newSession } from '../newSession.ts'
import { type AuthCall, authOperation } from '../operation.ts'
import { issueAuthCode } from './authCodes.ts'
import { deepLink } from './deepLink.ts'
import { clearedFlowCookie, type Flow, flowOf, type Return, refuseLate } from './flow.ts'
import { identityUser } from './identityUser.ts'
import { linkIdentity } from './linkedIdentity.ts'
import { errorParameters } from './problems.ts'
import type { ProviderClient } from './providerClient.ts'

export const callbackOperations = [
  authOperation(providerRoutes.endProviderSignIn, async (call) => {
    const { request, services, params } = call
    const provider = providerAllowed(services)
    if (params.provider !== provider.id)
      throw new Failure('NOT_FOUND', 'The provider is unknown. /api/auth/config names the provider of this server.')
    const flow = flowOf(request, services)
    const answer = await ended(flow, provider, call)
    // An unknown flow keeps the cookie: any other site can send a browser here, and must not end a sign-in.
    return { ...answer, cookies: [...(answer.cookies ?? []), clearedFlowCookie(request, services)] }
  }),
]

async function ended(flow: Flow, provider: ProviderClient, call: AuthCall): Promise<Answer> {
  const { request, services } = call
  try {
    refuseLate(flow, request)
    services.providerSignInsByAddress.take(addressGroup(request.address))
    const person = await provider.person(request.query, flow, request.requestId)
    if (flow.then.to !== 'account') return await signedIn(await identityUser(person, call), flow.then, call)
    await linkIdentity(person, flow.then.userId, call)
    return redirect(flow.then.url)
  } catch (error) {
    const failure = asFailure(error, services.options.log, request.requestId)
    const to = errorUrl(flow.then, failure)
    if (to === undefined) throw failure
    return redirect(to)
  }
}

async function signedIn(
  user: TypedRow<'user'>,
  then: Exclude<Return, { to: 'account' }>,
  call: AuthCall,
): Promise<Answer> {
  if (then.to === 'app') {
    const code = await issueAuthCode(user, then.challenge, call)
    return redirect(deepLink({ code, state: then.state }))
  }
  const { cookie } = await newSession(user, call)
  await endFormer(call)
  return redirect(then.url, [cookie])
}

/** The URL that receives a failure. If undefined, the response itself is the failure. */
function errorUrl(then: Return, failure: Failure): string | undefined {
  const parameters = errorParameters(failure)
  if (then.to === 'app') return deepLink({ ...parameters, state: then.state })
  if (then.errorUrl === undefined) return undefined
  const url = new URL(then.errorUrl)
  for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value)
  return url.href
}

function redirect(location: string, cookies: readonly string[] = []): Answer {
  return { status: 302, headers: { location }, cookies }
}
