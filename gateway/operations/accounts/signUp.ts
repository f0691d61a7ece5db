/** Creates an account if it is the first one, if a signed-in user creates it, or if registration is open. */
import { accountRoutes } from '../../../spec/accounts/accountRoutes.ts'
import { addressGroup } from '../../http/addresses.ts'
import { json } from '../../http/answer.ts'
import { userBody } from './account.ts'
import { passwordsAllowed } from './modes.ts'
import { newAccount } from './newAccount.ts'
import { sessionAnswer } from './newSession.ts'
import { authOperation } from './operation.ts'

export const signUpOperations = [
  authOperation(accountRoutes.signUp, async (call) => {
    const { request, principal, services } = call
    passwordsAllowed(services.options.settings)
    services.signUpsByAddress.take(addressGroup(request.address))
    const user = await newAccount(call)
    if (principal.kind === 'user') return json(200, { token: null, user: userBody(user) })
    return await sessionAnswer(user, call, {})
  }),
]
