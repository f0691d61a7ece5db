/** The route to which the provider redirects the browser. It redirects to the page or the app that began the sign-in, with the outcome. */

import type { TypedRow } from '../../../../machines/rows.ts'
import { providerRoutes } from '../../../../spec/accounts/providerRoutes.ts'
import { Failure } from '../../../../spec/core/failure.ts'
import { addressGroup } from '../../../http/addresses.ts'
import { asFailure } from '../../../http/failures.ts'
import type { Answer } from '../../../http/route.ts'
import { createSession, endPreviousSession } from '../createSession.ts'
import { requireProvider } from '../modes.ts'
import { type AuthCall, authOperation } from '../operation.ts'
import { issueAuthCode } from './authCodes.ts'
import { deepLink } from './deepLink.ts'
import { findOrCreateUser } from './findOrCreateUser.ts'
import { clearedFlowCookie, type FlowReturn, readFlow, refuseExpired, type SignInFlow } from './flow.ts'
import { linkIdentity } from './linkIdentity.ts'
import { errorParameters } from './problems.ts'
import type { ProviderClient } from './providerClient.ts'

export const callbackOperations = [
  authOperation(providerRoutes.endProviderSignIn, async (call) => {
    const { request, services, params } = call
    const provider = requireProvider(services)
    if (params.provider !== provider.id)
      throw new Failure('NOT_FOUND', 'The provider is unknown. /api/auth/config names the provider of this server.')
    const flow = readFlow(request, services)
    const answer = await completeFlow(flow, provider, call)
    // An unknown flow keeps the cookie: any other site can send a browser here, and must not end a sign-in.
    return { ...answer, cookies: [...(answer.cookies ?? []), clearedFlowCookie(request, services)] }
  }),
]

async function completeFlow(flow: SignInFlow, provider: ProviderClient, call: AuthCall): Promise<Answer> {
  const { request, services } = call
  try {
    refuseExpired(flow, request)
    services.providerSignInsByAddress.take(addressGroup(request.address))
    const person = await provider.person(request.query, flow, request.requestId)
    if (flow.then.to !== 'account') return await completeSignIn(await findOrCreateUser(person, call), flow.then, call)
    await linkIdentity(person, flow.then.userId, call)
    return redirect(flow.then.url)
  } catch (error) {
    const failure = asFailure(error, services.options.log, request.requestId)
    const to = makeErrorUrl(flow.then, failure)
    if (to === undefined) throw failure
    return redirect(to)
  }
}

async function completeSignIn(
  user: TypedRow<'user'>,
  then: Exclude<FlowReturn, { to: 'account' }>,
  call: AuthCall,
): Promise<Answer> {
  if (then.to === 'app') {
    const code = await issueAuthCode(user, then.challenge, call)
    return redirect(deepLink({ code, state: then.state }))
  }
  const { cookie } = await createSession(user, call)
  await endPreviousSession(call)
  return redirect(then.url, [cookie])
}

/** The URL that receives a failure. If undefined, the response itself is the failure. */
function makeErrorUrl(then: FlowReturn, failure: Failure): string | undefined {
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
