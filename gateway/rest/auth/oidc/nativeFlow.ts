/**
 * Signing in with an app: it opens the start in a browser, is given a code by deep link, and redeems it with the verifier that
 * nobody else has. So who catches the deep link gets nothing.
 */
import * as v from 'valibot'
import { Failure } from '../../../../spec/failure.ts'
import { toDateTime } from '../../../../spec/types.ts'
import { json } from '../../../answer.ts'
import { asFailure } from '../../../failures.ts'
import { checked } from '../../input.ts'
import { momentOf, userBody } from '../account.ts'
import { providerAllowed } from '../modes.ts'
import { authOperation } from '../operation.ts'
import { redeemAuthCode } from './authCodes.ts'
import { deepLink } from './deepLink.ts'
import { flowCookie, newFlow } from './flow.ts'
import { errorParameters } from './problems.ts'

const start = v.object({
  state: v.pipe(
    v.string('must be given once'),
    v.regex(/^[A-Za-z0-9._~-]{32,128}$/, 'must be 32 random bytes in base64url or hex'),
  ),
  code_challenge: v.pipe(
    v.string('must be given once'),
    v.regex(/^[A-Za-z0-9_-]{43}$/, 'must be the S256 of the verifier, 43 characters of base64url'),
  ),
  code_challenge_method: v.literal('S256', 'must be S256'),
})

export const nativeFlowOperations = [
  authOperation({
    method: 'GET',
    path: '/api/auth/mobile/oauth/start',
    description: 'Sends the browser that an app opened to the provider.',
    access: 'anyone',
    body: undefined,
    handle: async ({ request, services }) => {
      const provider = providerAllowed(services)
      const { state, code_challenge: challenge } = checked(start, onceEach(request.query))
      const flow = newFlow({ to: 'app', state, challenge }, request, provider.id, services)
      try {
        const location = await provider.authorizationUrl(flow, request.requestId)
        return { status: 302, headers: { location }, cookies: [flowCookie(flow, request, services)] }
      } catch (error) {
        // A person looks at this browser, and the app waits for it.
        const failure = asFailure(error, services.options.log, request.requestId)
        return { status: 302, headers: { location: deepLink({ ...errorParameters(failure), state }) } }
      }
    },
  }),
  authOperation({
    method: 'POST',
    path: '/api/auth/mobile/redeem',
    description: 'Gives an app a session for its code, once.',
    access: 'anyone',
    body: v.object({
      code: v.pipe(v.string(), v.maxLength(256)),
      code_verifier: v.pipe(v.string(), v.maxLength(256)),
    }),
    handle: async (call) => {
      providerAllowed(call.services)
      const { code, code_verifier: verifier } = call.input
      const { token, row, user } = await redeemAuthCode({ code, verifier }, call)
      const expiresAt = momentOf(row, 'expiresAt')
      if (expiresAt === undefined) throw new Failure('INTERNAL', 'A session has no end.')
      return json(200, { token, user: userBody(user), expiresAt: toDateTime(expiresAt) })
    },
  }),
]

/** The parameters that were given once; one that came twice is as good as none. */
function onceEach(query: string): Record<string, string> {
  const parameters = new URLSearchParams(query)
  return Object.fromEntries([...parameters].filter(([name]) => parameters.getAll(name).length === 1))
}
