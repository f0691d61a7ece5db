/**
 * The sign-in of an app. The app opens the start page in a browser, receives a code by deep link, and redeems the code with its
 * verifier. Another app that receives the deep link has no verifier, so it cannot redeem the code.
 */

import { providerRoutes } from '../../../../spec/accounts/providerRoutes.ts'
import { Failure } from '../../../../spec/core/failure.ts'
import { toDateTime } from '../../../../spec/core/types.ts'
import { json } from '../../../http/answer.ts'
import { asFailure } from '../../../http/failures.ts'
import { userBody } from '../account.ts'
import { endPreviousSession } from '../createSession.ts'
import { requireProvider } from '../modes.ts'
import { authOperation } from '../operation.ts'
import { redeemAuthCode } from './authCodes.ts'
import { deepLink } from './deepLink.ts'
import { createFlow, flowCookie } from './flow.ts'
import { errorParameters } from './problems.ts'

export const nativeFlowOperations = [
  authOperation(providerRoutes.startMobileSignIn, async ({ request, services, query }) => {
    const provider = requireProvider(services)
    refuseRepeated(request.query, Object.keys(query))
    const { state, code_challenge: challenge } = query
    const flow = createFlow({ to: 'app', state, challenge }, request, provider.id, services)
    try {
      const location = await provider.authorizationUrl(flow, request.requestId)
      return { status: 302, headers: { location }, cookies: [flowCookie(flow, request, services)] }
    } catch (error) {
      // The app waits for the deep link, so it receives the failure too.
      const failure = asFailure(error, services.options.log, request.requestId)
      return { status: 302, headers: { location: deepLink({ ...errorParameters(failure), state }) } }
    }
  }),
  authOperation(providerRoutes.redeemMobileCode, async (call) => {
    requireProvider(call.services)
    const { code, code_verifier: verifier } = call.input
    const { token, row, user } = await redeemAuthCode({ code, verifier }, call)
    await endPreviousSession(call)
    return json(200, { token, user: userBody(user), expiresAt: toDateTime(row.context.expiresAt) })
  }),
]

/** A parameter that is given twice has no definite value. @throws Failure */
function refuseRepeated(query: string, names: readonly string[]): void {
  const parameters = new URLSearchParams(query)
  const field = names.find((name) => parameters.getAll(name).length > 1)
  if (field === undefined) return
  const problem = 'must be given once'
  throw new Failure('BAD_USER_INPUT', `${field}: ${problem}`, { details: { field, problem } })
}
