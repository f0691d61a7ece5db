/** Signing in by email and password. How long it takes does not tell whether the account exists. */

import { Failure } from '../../../spec/failure.ts'
import { accountRoutes } from '../../../spec/rest/accountRoutes.ts'
import { addressGroup } from '../../addresses.ts'
import { accountKey, fieldOf } from './account.ts'
import { passwordsAllowed } from './modes.ts'
import { sessionAnswer } from './newSession.ts'
import { authOperation } from './operation.ts'

export const signInOperations = [
  authOperation(accountRoutes.signIn, async (call) => {
    const { request, services, input } = call
    const { signInsByAddress, signInFailures, passwords, options } = services
    passwordsAllowed(options.settings)
    const account = accountKey(input.email)
    signInsByAddress.take(addressGroup(request.address), 1, 'sign-ins from this address')
    if (signInFailures.spent(account)) throw signInFailures.refusal(account, 'failed sign-ins to this account')
    const user = await options.views.findByKey('user', account)
    const hash = user && fieldOf(user, 'passwordHash')
    const right = hash ? await passwords.verify(hash, input.password) : await passwords.verifyNobody(input.password)
    if (!user || !right || user.columns.status !== 'ACTIVE') {
      signInFailures.add(account)
      throw new Failure('UNAUTHENTICATED', 'The email address or the password is not right.')
    }
    return await sessionAnswer(user, call, { redirect: false })
  }),
]
