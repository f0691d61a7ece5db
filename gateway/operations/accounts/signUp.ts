/** Creates an account if it is the first one, if a signed-in user creates it, or if registration is open. */
import { accountRoutes } from '../../../spec/accounts/accountRoutes.ts'
import { addressGroup } from '../../http/addresses.ts'
import { json } from '../../http/answer.ts'
import { userBody } from './account.ts'
import { createAccount } from './createAccount.ts'
import { answerWithNewSession } from './createSession.ts'
import { requirePasswordMode } from './modes.ts'
import { authOperation } from './operation.ts'

export const signUpOperations = [
  authOperation(accountRoutes.signUp, async (call) => {
    const { request, principal, services } = call
    requirePasswordMode(services.options.settings)
    services.signUpsByAddress.take(addressGroup(request.address))
    const user = await createAccount(call)
    if (principal.kind === 'user') return json(200, { token: null, user: userBody(user) })
    return await answerWithNewSession(user, call, {})
  }),
]
